import type { Site } from './site.ts';

/** A hotel and a sports club. */
export const hotel: Site = {
  sections: {
    rooms: {
      title: 'Rooms',
      text: '| Room | Size | Beds | Per night |\n|---|---|---|---|\n| Nook | 14 m² | 1 | CHF 120 |\n| Garden | 22 m² | 2 | CHF 165 |\n| Loft | 38 m² | 4 | CHF 290 |\n\nBreakfast is CHF 18 a person. Children under 6 stay free. City tax: CHF 3.50 per person and night.',
    },
    stay: {
      title: 'Good to know',
      text: 'Check-in from 3 pm, check-out until 11 am. Late arrivals get a code for the key box. Dogs are welcome for CHF 15 a night. The sauna on the 4th floor is open daily 16:00-22:00 and included. Wi-Fi: network "Seehof", password "arven2231".',
    },
    cancel: {
      title: 'Cancellation',
      text: 'Free of charge up to 72 hours before arrival. Later, or if you do not arrive, we charge 80% of the first night. For groups of more than 8 rooms, 30 days apply.',
    },
    way: {
      title: 'How to find us',
      text: 'From the station, take bus 12 to Seestrasse (9 minutes) or walk for half an hour. By car: exit A13, then 2.5 km towards the lake. Parking garage: CHF 20 per day, height limit 1.95 m. Address: Seestrasse 48, 7050 Arosa.',
    },
    club: {
      title: 'Rowing club: fees',
      text: 'Adults pay 240 francs a year, students half of it. Families pay 450 francs. The joining fee is 80 francs. Beginners courses start on 2 May and 5 September and have eight evenings.',
    },
  },
  good: [
    ['how big is the loft', 'The Loft is 38 m² and has four beds {rooms}.'],
    [
      'Price for 2 adults, 3 nights in the garden room with breakfast?',
      'The Garden room is CHF 165 per night, so 495 francs for three nights {rooms}. Breakfast for two comes to CHF 36 a day, CHF 108 in all, and the city tax to CHF 21 {rooms}. Altogether that is CHF 624.',
    ],
    ['can i bring my dog', 'Sure, dogs are welcome at an extra CHF 15 per night {stay}.'],
    [
      'We land at 23:30, is that a problem?',
      'No problem: if you arrive late you receive a code for the key box {stay}.',
    ],
    ['checkout?', 'By 11:00 {stay}.'],
    ['sauna cost and times', 'The sauna is included in your stay and open every day between 4 and 10 p.m. {stay}'],
    ['wifi password', 'Connect to "Seehof" with the password arven2231 {stay}.'],
    [
      'I cancel two days before. What will I pay for the Nook?',
      'Two days (48 hours) is less than the 72 hours for free cancellation, so 80% of the first night is charged {cancel}. For the Nook at CHF 120 that is CHF 96 {rooms}{cancel}.',
    ],
    ['my van is 2.10m high', 'Then it will not fit: the garage allows 1.95 m {way}.'],
    ['walk from station?', 'About 30 minutes on foot; the 12 bus takes 9 {way}.'],
    ['Adresse?', 'Seestrasse 48, 7050 Arosa {way}.'],
    ['Was kostet Parken für 5 Tage?', 'Die Garage kostet 20 Franken pro Tag, für fünf Tage also CHF 100 {way}.'],
    ['student fee for rowing', 'Students pay half, i.e. CHF 120 a year {club}, plus the joining fee of CHF 80 {club}.'],
    ['When do courses start?', 'On May 2nd and September 5th; each has 8 evenings {club}.'],
    ['¿Hasta qué hora puedo quedarme el último día?', 'Puede quedarse hasta las 11:00 {stay}.'],
    ['サウナは何時までですか？', 'サウナは毎日16時から22時まで開いています{stay}。'],
    ['Можно ли с собакой?', 'Да, с собакой можно, это стоит 15 франков за ночь {stay}.'],
    ['هزینه پارکینگ برای یک روز چقدر است؟', 'پارکینگ روزی ۲۰ فرانک است {way}.'],
    ['Is there a pool and a gym?', 'NOT_IN_KNOWLEDGE'],
    ['do kids pay', 'Children under six stay for free {rooms}. Breakfast prices for kids are not given.'],
  ],
  lies: [
    ['how much is breakfast', 'Breakfast is CHF 25 a person {rooms}.'],
    ['how much is the loft', 'The Loft is CHF 310 per night {rooms}.'],
    ['when can I check in', 'You can check in from 1 pm {stay}.'],
    ['what is the wifi password', 'The password is seehof2024 {stay}.'],
    ['which bus do I take', 'Take bus 27 to Seestrasse {way}.'],
    ['how late can I cancel', 'You can cancel free of charge up to 24 hours before arrival {cancel}.'],
    ['when do courses start', 'The courses start on 12 April {club}.'],
    ['garage height', 'The garage is 2.30 m high {way}.'],
    ['is there a pool?', 'Yes, a heated outdoor pool of 25 metres, open from 7 a.m.'],
    ['Kosten Familie im Ruderclub', 'Familien zahlen 520 Franken {club}.'],
  ],
};
