import type { Site } from './site.ts';

/** A town hall in French, and a library in English and Chinese. */
export const town: Site = {
  sections: {
    passeport: {
      title: 'Passeport',
      language: 'fr',
      text: "Le passeport biométrique d'un adulte coûte 86 € en timbre fiscal et est valable dix ans. Pour un mineur de moins de 15 ans, le prix est de 17 € ; de 15 à 17 ans, 42 €. Prenez rendez-vous en mairie ; le délai moyen est de 3 semaines. Apportez une photo de moins de six mois.",
    },
    dechets: {
      title: 'Collecte des déchets',
      language: 'fr',
      text: 'Ordures ménagères : mardi et vendredi à partir de 6 h. Emballages : un mercredi sur deux, semaines paires. La déchetterie est ouverte du 1er avril au 30 septembre de 9h à 19h, le reste de l’année jusqu’à 17h30. Encombrants : sur appel au 02 97 55 01 20.',
    },
    cantine: {
      title: 'Cantine scolaire',
      language: 'fr',
      text: 'Le repas coûte 3,60 €, et 2,10 € pour un quotient familial inférieur à 700. Inscription avant le 15 juin 2025 sur https://famille.plouvenec.example. Une absence signalée 48 heures à l’avance n’est pas facturée.',
    },
    library: {
      title: 'Library membership',
      language: 'en',
      text: 'Membership is free for residents and costs 15 euros a year for everyone else. You may borrow 10 items for three weeks and renew twice. Late items cost 20 cents a day, at most 5 euros an item.',
    },
    hours: {
      title: '图书馆开放时间',
      language: 'zh',
      text: '周二至周五：上午10点至晚上7点。周六：上午9点至下午5点。周日和周一闭馆。自习室可容纳四十人，需提前三天预约。',
    },
  },
  good: [
    ['prix passeport enfant 10 ans', "Pour un enfant de 10 ans, c'est 17 € {passeport}."],
    [
      'Combien pour deux adultes et un ado de 16 ans ?',
      'Deux passeports adultes (2 × 86 €) et un passeport à 42 € : cela fait 214 € au total {passeport}.',
    ],
    ['ça prend combien de temps', 'Comptez environ trois semaines {passeport}.'],
    ['la photo date de l’an dernier, ça va ?', 'Non, elle doit avoir moins de 6 mois {passeport}.'],
    ['poubelles quand', 'Les ordures ménagères sont ramassées le mardi et le vendredi dès 6h00 {dechets}.'],
    ['déchetterie en novembre 18h ?', 'Non : hors saison (d’octobre à mars), elle ferme à 17 h 30 {dechets}.'],
    ['Jusqu’à quand inscrire mon fils ?', 'Jusqu’au 15/06/2025, sur famille.plouvenec.example {cantine}.'],
    [
      'Prix de la cantine pour une semaine de 4 repas ?',
      'Au tarif normal, 4 repas reviennent à 14,40 € ; au tarif réduit, à 8,40 € {cantine}.',
    ],
    ['How do I get rid of an old sofa?', 'Call 02 97 55 01 20 to have bulky items collected {dechets}.'],
    [
      'Is the passport valid for long?',
      'Ten years for adults. {passeport} The pages do not say how long it is for children.',
    ],
    [
      'I live outside the town. What is the library and how long can I keep a book with all renewals?',
      'As a non-resident you pay €15 per year {library}. Each loan lasts 3 weeks and can be renewed 2 times, so up to nine weeks in all {library}.',
    ],
    ['fine for 10 days late?', '10 days at €0.20 come to €2.00 per item {library}.'],
    ['is it open on sunday', 'No, the library is closed on Sundays and Mondays {hours}.'],
    ['图书馆周六几点关门？', '周六下午5点关门{hours}。'],
    ['自习室能坐多少人？', '自习室最多可容纳40人，需要提前3天预约{hours}。'],
    ['When does it open on Saturdays?', 'On Saturdays it is open from 9 am to 5 pm {hours}.'],
    ['How many people fit in the study room?', 'Forty people; book three days ahead. {hours}'],
    ['Wie viele Bücher darf ich ausleihen?', 'Sie dürfen zehn Medien für drei Wochen ausleihen {library}.'],
    ['Où se garer près de la mairie ?', 'NOT_IN_KNOWLEDGE'],
  ],
  lies: [
    ['prix du passeport adulte', 'Un passeport adulte coûte 96 € {passeport}.'],
    ['numéro pour les encombrants', 'Appelez le 02 97 55 10 21 {dechets}.'],
    ['date limite cantine', 'Inscrivez-vous avant le 30 juin 2025 {cantine}.'],
    ['site de la cantine', 'Allez sur https://cantine.plouvenec.example {cantine}.'],
    ['How many items may I borrow?', 'You may borrow 25 items at a time {library}.'],
    ['What is the highest fine?', 'At most 12 euros an item {library}.'],
    ['周六几点开门？', '周六上午11点开门{hours}。'],
    ['Who is the mayor?', 'The mayor is Yann Le Goff, elected in 2020 {-}.'],
  ],
};
