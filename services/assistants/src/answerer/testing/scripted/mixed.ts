import type { Site } from './site.ts';

/** A vineyard, a telecom provider, a landlord and a food bank, with answers as models format them. */
export const mixed: Site = {
  sections: {
    wine: {
      title: 'Our wines',
      text: 'Riesling 2023: 12.5% vol, 8.90 € a bottle, serve at 8-10 °C. Pinot Noir 2021: 13% vol, 14.50 €, aged 18 months in oak. Six bottles or more: free delivery. Cellar tours every Saturday at 4 pm, 18 € including five wines.',
    },
    fibre: {
      title: 'Fibre tariffs',
      language: 'de',
      text: 'Glas 250: 250 Mbit/s im Download, 50 Mbit/s im Upload, 34,99 € monatlich. Glas 1000: 1.000 Mbit/s, 59,99 € monatlich. Mindestlaufzeit 24 Monate, danach monatlich kündbar mit einer Frist von einem Monat. Einrichtung einmalig 49,95 €. Bereitstellung nach etwa 6 Wochen.',
    },
    router: {
      title: 'Router einrichten',
      language: 'de',
      text: '1. Verbinden Sie den Router mit der Glasfaserdose. 2. Warten Sie, bis die LED „PON“ dauerhaft grün leuchtet (bis zu 3 Minuten). 3. Rufen Sie http://192.168.1.1 auf und geben Sie den Code von der Rückseite ein. Werkseinstellungen: 10 Sekunden auf RESET drücken.',
    },
    rent: {
      title: 'Tenants: repairs',
      text: 'Report repairs online or on 0800 555 0166 (24 hours). Emergencies such as no heating between 31 October and 1 May are fixed within 24 hours, urgent repairs within 7 working days, routine ones within 28 days. You pay for broken windows unless you have a crime reference number.',
    },
    deposit: {
      title: 'Deposits',
      text: 'The deposit is five weeks’ rent. It is protected by a scheme within 30 days and paid back within 10 days after both sides agree. Example: with a rent of £1,200 a month the deposit is £1,384.62.',
    },
    foodbank: {
      title: 'ボランティア',
      language: 'ja',
      text: '活動日は毎週火曜日と土曜日の午前9時から正午までです。18歳以上の方ならどなたでも参加できます。初回は説明会（約40分）に出席してください。申し込み：volunteer@tonari.example',
    },
    api: {
      title: 'Webhooks',
      text: 'Every event is sent as POST with a JSON body. Verify the header `X-Signature` (HMAC-SHA256). Failed deliveries are retried 8 times over 24 hours. Respond with a status of 2xx within 10 seconds. Configure them with `hookctl add URL --events order.paid,order.refunded`.',
    },
  },
  good: [
    [
      'price of 6 riesling',
      '**6 bottles of Riesling** cost 6 × €8.90 = **€53.40**, and delivery is free from six bottles on {wine}.',
    ],
    ['which wine is stronger', 'The Pinot Noir, with 13 % alcohol against 12.5 % for the Riesling {wine}.'],
    ['how cold should riesling be', 'Serve it at 8 to 10 degrees Celsius {wine}.'],
    [
      'tour with 3 friends?',
      'Tours take place on Saturdays at 16:00 and cost €18 per person, five wines included {wine}. For the 4 of you that is €72.',
    ],
    ['how long was the pinot in oak', 'A year and a half (18 months) {wine}.'],
    [
      'Was kostet Glas 1000 in zwei Jahren inkl. Einrichtung?',
      'In 24 Monaten zahlen Sie 24 × 59,99 € = 1.439,76 € {fibre}. Mit der Einrichtung (49,95 €) sind es 1.489,71 € {fibre}.',
    ],
    [
      'preisunterschied der tarife',
      'Glas 1000 kostet 25 € im Monat mehr als Glas 250 (59,99 € statt 34,99 €) {fibre}.',
    ],
    [
      'ab wann kann ich kündigen',
      'Frühestens nach der Mindestlaufzeit von zwei Jahren; danach jeden Monat mit 1 Monat Frist. {fibre}',
    ],
    ['wie schnell ist upload', 'Bei Glas 250 sind es 50 MBit/s {fibre}. Für Glas 1000 nennt die Seite keinen Upload.'],
    [
      'How fast is the big tariff and what does it cost?',
      'Glas 1000 offers 1,000 Mbit/s (1 Gbit/s) for €59.99 a month {fibre}.',
    ],
    ['router zurücksetzen', 'Halten Sie RESET 10 Sekunden lang gedrückt {router}.'],
    [
      'router installation',
      '## Router einrichten\n\n1. **Anschließen:** Router mit der Glasfaserdose verbinden {router}\n2. **Warten:** bis „PON“ grün leuchtet, höchstens 3 Minuten {router}\n3. **Anmelden:** http://192.168.1.1 öffnen und den Code von der Rückseite eingeben {router}',
    ],
    [
      'my heating is broken in january',
      "That's an emergency at this time of year (31 October to 1 May), so it should be fixed within 24 hours {rent}. Please call **0800 555 0166** – the line is open around the clock {rent}.",
    ],
    ['routine repair time in weeks', 'Routine repairs are done within 28 days, that is four weeks {rent}.'],
    [
      'heating broken on 10 may',
      'As 10 May is outside the period of 31 October to 1 May {rent}, it does not count as an emergency for that reason.',
    ],
    ['kid broke the window', 'You would have to pay for it yourself, unless there is a crime reference number {rent}.'],
    [
      'deposit for 900 pounds a month',
      'The deposit is 5 weeks of rent {deposit}. With £900 a month, a week costs about £207.69 (900 × 12 / 52), so the deposit is about £1,038.46.',
    ],
    ['when do i get the deposit back', 'Within ten days of you and the landlord agreeing {deposit}.'],
    ['ボランティアは何時から？', '火曜日と土曜日の9:00から12:00までです{foodbank}。'],
    ['私は17歳ですが参加できますか', '申し訳ありませんが、参加できるのは18歳以上の方です{foodbank}。'],
    [
      'How do I become a volunteer?',
      'Write to volunteer@tonari.example and attend a briefing of about 40 minutes first {foodbank}. You must be at least 18 {foodbank}.',
    ],
    ['On which days?', 'Tuesdays and Saturdays, 9 a.m. to noon. {foodbank}'],
    ['how many retries', 'Up to eight times within one day (24 hours) {api}.'],
    ['timeout?', 'Your server has 10s to answer with a 2xx status {api}.'],
    [
      'add webhook for paid orders',
      'Run:\n\n```sh\nhookctl add URL --events order.paid\n```\n\nReplace `URL` with your own address {api}.',
    ],
    [
      'how do i check the signature',
      'Compute the HMAC-SHA256 of the body and compare it with the `X-Signature` header {api}.',
    ],
    [
      'Combien coûte la visite de la cave ?',
      'La visite coûte 18 € par personne, dégustation de cinq vins comprise {wine}.',
    ],
    ['¿Cuándo devuelven la fianza?', 'En un plazo de 10 días desde que ambas partes están de acuerdo {deposit}.'],
    ['الحد الأقصى لإصلاح التدفئة؟', 'يتم إصلاح التدفئة خلال ٢٤ ساعة في الحالات الطارئة {rent}.'],
    ['ค่าทัวร์ห้องเก็บไวน์เท่าไร', 'ค่าทัวร์ 18 ยูโร รวมไวน์ห้าชนิด {wine}'],
    ['Kellertour um wie viel Uhr?', 'Samstags um 16 Uhr {wine}.'],
    ['हीटिंग कितने समय में ठीक होगी?', 'आपातकालीन स्थिति में 24 घंटे के भीतर ठीक की जाती है {rent}।'],
    ['do you sell rosé and is there parking', 'NOT_IN_KNOWLEDGE'],
  ],
  lies: [
    ['riesling price', 'The Riesling costs €9.80 a bottle {wine}.'],
    ['alcohol of pinot', 'It has 14.5% alcohol {wine}.'],
    ['tour time', 'Tours start at 2 pm on Saturdays {wine}.'],
    ['upload', 'Der Upload beträgt 100 Mbit/s {fibre}.'],
    ['laufzeit', 'Die Mindestlaufzeit beträgt 12 Monate {fibre}.'],
    ['einrichtung', 'Die Einrichtung kostet 29,95 € {fibre}.'],
    ['router address', 'Open http://192.168.0.254 {router}.'],
    ['reset', 'Drücken Sie 30 Sekunden auf RESET {router}.'],
    ['phone repairs', 'Call 0800 555 0616 {rent}.'],
    ['urgent repairs', 'Urgent repairs are done within 3 working days {rent}.'],
    ['deposit', 'The deposit is eight weeks of rent {deposit}.'],
    ['deposit example', 'With £1,200 the deposit is £1,500 {deposit}.'],
    ['何歳から', '16歳から参加できます{foodbank}。'],
    ['メール', 'join@tonari.exampleにご連絡ください{foodbank}。'],
    ['retries', 'It is retried 20 times over three days {api}.'],
    ['command', 'Run `hookctl create --all-events` {api}.'],
    ['timeout', 'You have 30 seconds to respond {api}.'],
    ['signature', 'Check the header `X-Hook-Sig` {api}.'],
    ['who owns the vineyard', 'It belongs to the Keller family since 1874.'],
  ],
};
