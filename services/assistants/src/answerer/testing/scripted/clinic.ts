import type { Site } from './site.ts';

/** In German. */
export const clinic: Site = {
  sections: {
    zeiten: {
      title: 'Sprechzeiten',
      language: 'de',
      text: 'Montag, Dienstag, Donnerstag: 8.00 - 12.00 Uhr und 15.00 - 18.30 Uhr. Mittwoch und Freitag: 8.00 - 13.00 Uhr. In der Woche vom 23. bis 31. Dezember bleibt die Praxis geschlossen.',
    },
    termine: {
      title: 'Termine',
      language: 'de',
      text: 'Termine vereinbaren Sie telefonisch unter 030 / 44 55 66 - 0 oder online. Bitte sagen Sie Termine, die Sie nicht wahrnehmen können, mindestens 24 Stunden vorher ab. Andernfalls berechnen wir 35 Euro.',
    },
    impfung: {
      title: 'Reiseimpfungen',
      language: 'de',
      text: 'Die Grundimmunisierung gegen Hepatitis A besteht aus zwei Impfungen im Abstand von 6 bis 12 Monaten. Eine Impfung kostet 68,50 €. Gesetzliche Kassen erstatten meist 80 %. Kommen Sie spätestens vier Wochen vor der Reise.',
    },
    rezept: {
      title: 'Rezepte',
      language: 'de',
      isFaq: true,
      text: 'Wiederholungsrezepte bestellen Sie per E-Mail an rezept@praxis-linde.example; sie liegen ab dem nächsten Werktag ab 10 Uhr bereit. Die Versichertenkarte muss einmal im Quartal eingelesen werden.',
    },
  },
  good: [
    ['habt ihr mittwoch nachmittag offen', 'Nein, mittwochs ist die Praxis nur von 8 bis 13 Uhr geöffnet {zeiten}.'],
    ['Wann macht ihr montags zu?', 'Montags endet die Nachmittagssprechstunde um 18:30 Uhr {zeiten}.'],
    ['sind sie zwischen den jahren da', 'Nein. Vom 23.12. bis 31.12. ist geschlossen. {zeiten}'],
    [
      'Was passiert, wenn ich nicht komme?',
      'Wenn Sie nicht wenigstens einen Tag (24 Stunden) vorher absagen, werden 35 € fällig {termine}.',
    ],
    [
      'Was kostet mich Hepatitis A komplett und wie viel zahlt die Kasse?',
      'Für beide Impfungen zusammen zahlen Sie 137,00 € (2 × 68,50 €) {impfung}. Bei 80 % Erstattung übernimmt die Kasse davon 109,60 €, sodass 27,40 € bei Ihnen bleiben {impfung}.',
    ],
    [
      'Ich fliege in drei Wochen, reicht das?',
      'Das ist knapp: Empfohlen werden mindestens 4 Wochen vor der Reise {impfung}.',
    ],
    ['Telefonnummer?', 'Sie erreichen uns unter 030 4455660 {termine}.'],
    [
      'wie bekomme ich mein rezept',
      'So geht es:\n\n1. Schreiben Sie an rezept@praxis-linde.example {rezept}.\n2. Holen Sie das Rezept am nächsten Werktag ab 10:00 Uhr ab {rezept}.\n\nDenken Sie daran, Ihre Karte einmal pro Quartal einlesen zu lassen {rezept}.',
    ],
    ['What time do you open on Fridays?', 'On Fridays the practice opens at 8 a.m. and closes at 1 p.m. {zeiten}'],
    [
      'How much is the fee if I miss my appointment?',
      "It's €35 unless you cancel at least 24 hours in advance {termine}.",
    ],
    [
      'How far apart are the two hepatitis shots?',
      'Six to twelve months apart {impfung}. A single dose costs 68.50 euros, of which most public insurers pay 80 percent {impfung}.',
    ],
    ['À quelle heure ouvrez-vous le lundi ?', 'Le lundi, le cabinet ouvre à 8h00, puis à 15h00 l’après-midi {zeiten}.'],
    ['آیا روز چهارشنبه بعدازظهر باز هستید؟', 'خیر، چهارشنبه‌ها مطب فقط از ساعت ۸ تا ۱۳ باز است {zeiten}.'],
    ['Sprechen Sie Türkisch und brauche ich eine Überweisung?', 'NOT_IN_KNOWLEDGE'],
    [
      'Kann ich online buchen und gibt es Parkplätze?',
      'Ja, Termine können Sie auch online vereinbaren {termine}. Zu Parkplätzen steht leider nichts in den Unterlagen.',
    ],
  ],
  lies: [
    ['Wann schließt die Praxis freitags?', 'Freitags schließen wir um 16 Uhr {zeiten}.'],
    ['Was kostet die Hepatitis-Impfung?', 'Eine Impfung kostet 86,50 € {impfung}.'],
    ['Wie viel erstattet die Kasse?', 'Die Kasse erstattet 90 Prozent {impfung}.'],
    ['An welche Adresse schreibe ich?', 'Schreiben Sie an praxis@linde-arzt.example {rezept}.'],
    ['Wann ist Betriebsurlaub?', 'Vom 20. bis 31. Juli ist die Praxis geschlossen {zeiten}.'],
    ['Was kostet ein verpasster Termin?', 'Ein verpasster Termin kostet 50 Euro {termine}.'],
    ['How long before the trip must I come?', 'At least eight weeks before you travel {impfung}.'],
  ],
};
