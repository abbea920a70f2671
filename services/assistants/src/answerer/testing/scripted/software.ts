import type { Site } from './site.ts';

export const software: Site = {
  sections: {
    install: {
      title: 'Getting started',
      headings: ['Installation'],
      text: 'Tallyhook needs Node.js 20 or newer. Install it with\n\n    npm install -g tallyhook\n\nand check it with `tallyhook --version`. On Windows, run the shell as administrator. The configuration is in ~/.config/tallyhook/config.yaml.',
    },
    plans: {
      title: 'Pricing',
      text: 'Starter: €9 per user and month, up to 5 users. Team: €110 per month for up to 12 users, each further user €8. Enterprise: on request. Paying yearly saves 15%. All plans have a free trial of 14 days; no credit card needed.',
    },
    limits: {
      title: 'API reference',
      headings: ['Rate limits'],
      text: 'Each key may send 600 requests a minute and 50,000 a day. Above that the API answers 429 with the header `Retry-After`. Bodies may have at most 2 MB. The endpoint is https://api.tallyhook.example/v2/events; authenticate with `Authorization: Bearer KEY`.',
    },
    export: {
      title: 'Exporting data',
      text: 'Owners can export all events as CSV or Parquet under Settings > Data > Export. An export is kept for seven days. To export from the command line:\n\n```\ntallyhook export --format csv --since 2024-01-01\n```\n\nExports larger than 10 GB are split into parts of 1 GB.',
    },
    sso: {
      title: 'Single sign-on',
      text: 'SAML 2.0 and OpenID Connect are part of the Enterprise plan. Set `sso_required: true` to end password logins. Users who were signed in stay signed in for up to 12 hours.',
    },
  },
  good: [
    [
      'how do i install this',
      'First make sure you have Node.js 20 or later {install}. Then run:\n\n```bash\nnpm install -g tallyhook\n```\n\nYou can verify the installation with `tallyhook --version` {install}.',
    ],
    ['where is the config file?', "It's at `~/.config/tallyhook/config.yaml` {install}."],
    [
      'We are 12 people. What does Team cost us per year?',
      'Team is €110 a month for up to 12 users {plans}. Over a year that is €1,320 for 12 people, or €1,122 if you pay yearly and save 15% {plans}.',
    ],
    [
      'what if we are 15 people',
      'The Team plan includes 12 users; the other 3 cost €8 each, i.e. €24 more per month, so €134 in total {plans}.',
    ],
    ['do i need a credit card for the trial', 'No. You get two weeks free, and no card is required {plans}.'],
    [
      'rate limit per hour?',
      'There is no hourly limit as such: it is 600 requests per minute (36,000 an hour at most) and 50000 per day {limits}.',
    ],
    ['which header tells me when to retry', 'A 429 response carries `Retry-After` {limits}.'],
    [
      'curl example to send an event?',
      'Send a POST to the endpoint with your key:\n\n```\nPOST https://api.tallyhook.example/v2/events\nAuthorization: Bearer KEY\n```\n\nThe body can be up to 2 MB {limits}.',
    ],
    [
      'export everything since january 2024 from cli',
      'Use `tallyhook export --format csv --since 2024-01-01` {export}. If the export is bigger than 10 GB it comes in 1 GB parts. {export}',
    ],
    ['How long can I download an export?', 'For 1 week (seven days) {export}.'],
    [
      'is saml in team plan',
      'No, SAML 2.0 is only available with Enterprise {sso}, whose price is on request {plans}.',
    ],
    ['Does SSO log people out?', 'Not right away: whoever is already signed in can stay so for up to 12h {sso}.'],
    ['Wie teuer ist Starter für 4 Leute im Monat?', 'Für vier Personen sind es 36 € im Monat (4 × 9 €) {plans}.'],
    ['combien coûte un utilisateur supplémentaire ?', 'Chaque utilisateur au-delà de 12 coûte 8 € par mois {plans}.'],
    ['导出文件保留多久？', '导出文件会保留七天{export}。超过 10 GB 的导出会分成每个 1 GB 的部分{export}。'],
    ['چند درخواست در دقیقه مجاز است؟', 'هر کلید می‌تواند ۶۰۰ درخواست در دقیقه و ۵۰٬۰۰۰ درخواست در روز بفرستد {limits}.'],
    ['Can I self-host it?', 'NOT_IN_KNOWLEDGE'],
    ['What formats and is there XML?', 'You can export CSV and Parquet {export}; XML is not mentioned.'],
  ],
  lies: [
    ['How do I reset the database?', 'Run `tallyhook db:reset --hard` {install}.'],
    ['How many requests may I send?', 'You may send 1,000 requests a minute {limits}.'],
    ['Which Node version do I need?', 'You need Node.js 16 or newer {install}.'],
    ['What is the endpoint?', 'The endpoint is https://api.tallyhook.example/v3/ingest {limits}.'],
    ['How much does Team cost?', 'Team costs €99 per month {plans}.'],
    ['What do I save by paying yearly?', 'Paying yearly saves 20% {plans}.'],
    ['What does Team cost for 12 people a year?', 'That makes €1,450 a year for 12 people {plans}.'],
    ['how do i export json', 'Run `tallyhook export --format json --all` {export}.'],
    ['Which option forces sso?', 'Set `force_sso: true` {sso}.'],
    ['Who founded it?', 'Tallyhook was started in 2016 in Lisbon.'],
  ],
};
