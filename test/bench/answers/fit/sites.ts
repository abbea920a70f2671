import type { DebianPackage } from '../packages.ts';

/** Documentation that a number of masked pairs come from. */
export interface FitSite {
  name: string;
  from: DebianPackage;
  /** BCP 47 */
  language: string;
  /** True if the multilingual model is fitted on it, too. */
  inBoth: boolean;
  /** Folder of the pages, inside the package. */
  root: string;
  /** Which paths below `root` it has, in their alphabetical order, up to a number of chunks. */
  pages: RegExp;
}

const PACKAGES = {
  'debian-faq': {
    path: 'pool/main/d/debian-faq/debian-faq_11.1_all.deb',
    sha256: '427426e0cfa6888622fc1d72631071cb4b5a1f86ccde722e7820bcef284de5d0',
  },
  'borgbackup-doc': {
    path: 'pool/main/b/borgbackup/borgbackup-doc_1.2.4-1_all.deb',
    sha256: 'f7c621fde76d460f071e8c0803d62198101f1c86ef3430db158f2e789570dbda',
  },
  'git-doc': {
    path: 'pool/main/g/git/git-doc_2.39.5-0+deb12u3_all.deb',
    sha256: '3c89668a11053a6bafade3de1f611f4613db31e082af63f43d8c5b69ad8795ec',
  },
  fetchmail: {
    path: 'pool/main/f/fetchmail/fetchmail_6.4.37-1_amd64.deb',
    sha256: '67a888df52239e0988a9170b8d8521fbeca1d9934a8b0f1a3e1ea6982a880ed6',
  },
  'sqlite3-doc': {
    path: 'pool/main/s/sqlite3/sqlite3-doc_3.40.1-2+deb12u2_all.deb',
    sha256: '466e30d7066e2641fa13e56bc662a2ad521b8cc9c17dde9c9dac3d4f105e32f2',
  },
  'python3.11-doc': {
    path: 'pool/main/p/python3.11/python3.11-doc_3.11.2-6+deb12u8_all.deb',
    sha256: '50eb63e7f636c4281e9ce1b8f10386f1def42159eddce34fc1f41c46261df71b',
  },
  'debian-policy': {
    path: 'pool/main/d/debian-policy/debian-policy_4.6.2.0_all.deb',
    sha256: 'ef9d01b625c3b87c3a845c2cd1b66f1a16e9240b2b9e5bee53472a00e8457a39',
  },
  'debian-reference-en': {
    path: 'pool/main/d/debian-reference/debian-reference-en_2.100_all.deb',
    sha256: '9f31d3a17df505de09689ca255512ea58c1fc47c59bb1b0c7bf1c23362e9743f',
  },
  'developers-reference': {
    path: 'pool/main/d/developers-reference/developers-reference_12.18_all.deb',
    sha256: '0dba82f6fa16e373f2a84ad07e7971aa9264ad2e7d2ae46b37edbc9c5fd57e2e',
  },
  'aptitude-doc-en': {
    path: 'pool/main/a/aptitude/aptitude-doc-en_0.8.13-5_all.deb',
    sha256: 'ba4864ca26464bbe06acd94dc4a79402eea5d7b2d3da943d6ecce3c752bc9e84',
  },
  'postgresql-doc-15': {
    path: 'pool/main/p/postgresql-15/postgresql-doc-15_15.18-0+deb12u1_all.deb',
    sha256: '3c598277a463c44d672daa2c335deb8d8252e1852fb025fd4578ea2d9a1b90f0',
  },
  'apache2-doc': {
    path: 'pool/main/a/apache2/apache2-doc_2.4.68-1~deb12u1_all.deb',
    sha256: 'cee8fe80ffb5de2744cd690c3d795b489e43a1c44c4e3a634c521642f22d7835',
  },
  mutt: {
    path: 'pool/main/m/mutt/mutt_2.2.12-0.1~deb12u1_amd64.deb',
    sha256: 'fadc0196d1862176f07bcb2f31ca18f9c777a6854a6e99d43d3d585bca04c6f0',
  },
  'debian-edu-doc-en': {
    path: 'pool/main/d/debian-edu-doc/debian-edu-doc-en_2.12.23~deb12u1_all.deb',
    sha256: '0a985aebd07dd69ea1d22c767c410fbca429e7c9fa378024bcaf4fedeb09506a',
  },
  'exim4-doc-html': {
    path: 'pool/main/e/eximdoc4/exim4-doc-html_4.96-1_all.deb',
    sha256: 'f0613395fd73c3c278b619c8162c5a183e7874cbfdebe3614b4b3339d5d8a120',
  },
  'python-django-doc': {
    path: 'pool/main/p/python-django/python-django-doc_3.2.25-0+deb12u3_all.deb',
    sha256: '33319c8e45b95693603213442ccf9bcee933ef338488115203ad25a0e01c696f',
  },
  'python-flask-doc': {
    path: 'pool/main/f/flask/python-flask-doc_2.2.2-3_all.deb',
    sha256: '0659f6a04b15fe3f907150cadc0399fe987c790e722e001b73f7e49fa5ecca15',
  },
  'r-doc-html': {
    path: 'pool/main/r/r-base/r-doc-html_4.2.2.20221110-2_all.deb',
    sha256: '2c615dd386993a440b80fd4e9060318386e31fbe47f5be65f295f5fb34002c5c',
  },
  'hplip-doc': {
    path: 'pool/main/h/hplip/hplip-doc_3.22.10+dfsg0-2_all.deb',
    sha256: '35c6cd1f6a896947f58de5c2b6ebe4ddbdfbef9a27188b3ca3425da07e9c447f',
  },
  'harden-doc': {
    path: 'pool/main/h/harden-doc/harden-doc_3.19+nmu1_all.deb',
    sha256: '77ffacb6f8af4afbdf39f3de6040a710ae6ffcc40e2fab5b5d312dfb11d28d94',
  },
  privoxy: {
    path: 'pool/main/p/privoxy/privoxy_3.0.34-1_amd64.deb',
    sha256: '767b14a2faefac1dbb3eab9eeacb368f48bb3b0bc1d3d37cb07e6e72a89ded07',
  },
  'shorewall-doc': {
    path: 'pool/main/s/shorewall/shorewall-doc_5.2.8-2_all.deb',
    sha256: 'adbc9bdfa9393e0f795837019c4267da912c672961d454fcacb519907576480b',
  },
  'lilypond-doc-html': {
    path: 'pool/main/l/lilypond/lilypond-doc-html_2.24.1-2_all.deb',
    sha256: 'be9fb743e58bd5ad4710146fe05e7c5f447fe4559e42c6acef1916d53e4bec60',
  },
  'openshot-qt-doc': {
    path: 'pool/main/o/openshot-qt/openshot-qt-doc_2.6.1+dfsg1-3_all.deb',
    sha256: '07ea691e997db2a24e2887f15b90de1c80ccb1f0a4288fa113e172bd95f4c66e',
  },
  'fai-doc': {
    path: 'pool/main/f/fai/fai-doc_6.0.3+deb12u1_all.deb',
    sha256: 'a57bc9a5cb6bf9007690819156ec079acf1563d18b76454a6a4dd7dd915552e8',
  },
  'dar-docs': {
    path: 'pool/main/d/dar/dar-docs_2.7.8-2_all.deb',
    sha256: 'cfb6f0cd5f770fb594debf057e03bd838d2204ee3b92ce70185079fd5d2a5d27',
  },
  'octave-doc': {
    path: 'pool/main/o/octave/octave-doc_7.3.0-2_all.deb',
    sha256: 'b27897cc7e3d688daa5cb8f8d1ea47077f3fbd205ce32e22522200ff0c1eadd5',
  },
  'debian-handbook': {
    path: 'pool/main/d/debian-handbook/debian-handbook_11.20220922_all.deb',
    sha256: '3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa',
  },
  'weechat-doc': {
    path: 'pool/main/w/weechat/weechat-doc_3.8-1_all.deb',
    sha256: 'c818a3ee6efc02b58b7a5e30dc262d22f0c3ee20d19e37f1a5acb85a955f768e',
  },
  'debian-history': {
    path: 'pool/main/d/debian-history/debian-history_2.28_all.deb',
    sha256: 'ae364cdfd075bf6a08ca8f5105b44db7093e3b201c95d3b70a863b8849c6a082',
  },
  'gimp-help-en': {
    path: 'pool/main/g/gimp-help/gimp-help-en_2.10.34-2_all.deb',
    sha256: 'a2deec76763aaf2fcdd197bac0736cdcb0770ba993d48d233329e1c92b0bfe36',
  },
  'buildbot-doc': {
    path: 'pool/main/b/buildbot/buildbot-doc_3.7.0-2_all.deb',
    sha256: '05f83be5c4756f4fb9a7653e1a96ddc3af3c5514b459addb058e901916dfb1c2',
  },
  'ganeti-doc': {
    path: 'pool/main/g/ganeti/ganeti-doc_3.0.2-3_all.deb',
    sha256: '5c41171cd8be19528c39cdac0a9d09d3bec99e6121a833fa85ef12a164337aff',
  },
  'mailman3-doc': {
    path: 'pool/main/m/mailman3/mailman3-doc_3.3.8-2~deb12u2_all.deb',
    sha256: '384c5462f155b700b410e09e470dce99097e054cc847a923ac46c5c4f6a88482',
  },
  'sphinx-doc': {
    path: 'pool/main/s/sphinx/sphinx-doc_5.3.0-4_all.deb',
    sha256: '1da3d08bb3a0bc82a4b8b8109410e223054bf5fb13904557ec8ea869046f65b4',
  },
  'debian-faq-de': {
    path: 'pool/main/d/debian-faq/debian-faq-de_11.1_all.deb',
    sha256: 'e9a8d8234f4b182660d521f80f50cea87f797b4541005a3d64fab7777766f6de',
  },
  'debian-faq-ru': {
    path: 'pool/main/d/debian-faq/debian-faq-ru_11.1_all.deb',
    sha256: 'aaaae7a409c5cf5f5b8c26991f6ef484297e0cd2dee74c8d675cfa6613bce541',
  },
  'debian-reference-de': {
    path: 'pool/main/d/debian-reference/debian-reference-de_2.100_all.deb',
    sha256: '3b0ce65fd63e75ddf8eb07ca36293425135080e690a07e06a6ac8bc8040ef0aa',
  },
  'debian-reference-ja': {
    path: 'pool/main/d/debian-reference/debian-reference-ja_2.100_all.deb',
    sha256: 'f67140e0b994409413bd5fcc8dfcce832445c99d724401f0275fa238daf30325',
  },
  'debian-reference-zh-cn': {
    path: 'pool/main/d/debian-reference/debian-reference-zh-cn_2.100_all.deb',
    sha256: '6d2d8d9a646397e28b04cdff23d2e4374101ebf9be348e35961af62c8a2d0977',
  },
  'aptitude-doc-es': {
    path: 'pool/main/a/aptitude/aptitude-doc-es_0.8.13-5_all.deb',
    sha256: 'a4245500fe3b449791a9f5910869b4bec4cc7e55e108b28fd03a55737687a917',
  },
  'aptitude-doc-fr': {
    path: 'pool/main/a/aptitude/aptitude-doc-fr_0.8.13-5_all.deb',
    sha256: 'a6cf16d609a3872f32ec6c3b93f60f0bbb353e80f25a2b2b11ef3844db6787d2',
  },
  'debian-edu-doc-it': {
    path: 'pool/main/d/debian-edu-doc/debian-edu-doc-it_2.12.23~deb12u1_all.deb',
    sha256: '605dc9fe37321ed3e6a9477f8c5074dede38889e38d3177d8d825eb76385cf1a',
  },
  'lilypond-doc-html-de': {
    path: 'pool/main/l/lilypond/lilypond-doc-html-de_2.24.1-2_all.deb',
    sha256: 'f4a7347e5120a080d732aa4f0a81310bc5557784efd0c0a913304f75b622a3ec',
  },
} as const satisfies Record<string, DebianPackage>;

/** English sites that the multilingual model is fitted on, too. */
const IN_BOTH =
  /^(debian-faq|git-faq|fetchmail|sqlite-faq|python-faq|django|hplip|privoxy|openshot|weechat|gimp-using|harden|ganeti|lilypond|debian-reference|apache-howto)$/;

const site = (name: string, from: keyof typeof PACKAGES, language: string, root: string, pages: RegExp): FitSite => ({
  name,
  from: PACKAGES[from],
  language,
  inBoth: language !== 'en' || IN_BOTH.test(name),
  root,
  pages,
});

export const FIT_SITES: readonly FitSite[] = [
  site('debian-faq', 'debian-faq', 'en', 'usr/share/doc/debian/FAQ', /\.en\.html$/),
  site(
    'borg',
    'borgbackup-doc',
    'en',
    'usr/share/doc/borgbackup/html',
    /^(quickstart|faq|installation|usage\/\w+)\.html$/,
  ),
  site(
    'git-faq',
    'git-doc',
    'en',
    'usr/share/doc/git-doc',
    /^(gitfaq|gittutorial|gitignore|gitworkflows|giteveryday)\.html$/,
  ),
  site('git-howto', 'git-doc', 'en', 'usr/share/doc/git-doc', /^howto\/|^user-manual\.html$/),
  site('fetchmail', 'fetchmail', 'en', 'usr/share/doc/fetchmail', /^fetchmail-FAQ\.html$/),
  site(
    'sqlite-faq',
    'sqlite3-doc',
    'en',
    'usr/share/doc/sqlite3',
    /^(faq|wal|whentouse|foreignkeys|autoinc|limits|isolation|cli|howtocorrupt|tempfiles|quirks|atomiccommit)\.html$/,
  ),
  site('python-faq', 'python3.11-doc', 'en', 'usr/share/doc/python3.11/html', /^faq\/(?!index)/),
  site('python-tutorial', 'python3.11-doc', 'en', 'usr/share/doc/python3.11/html', /^tutorial\//),
  site(
    'python-howto',
    'python3.11-doc',
    'en',
    'usr/share/doc/python3.11/html',
    /^howto\/(logging|argparse|regex|sockets|unicode|urllib2|sorting)/,
  ),
  site('debian-policy', 'debian-policy', 'en', 'usr/share/doc/debian-policy/policy.html', /^ch-(?!doc)/),
  site('debian-reference', 'debian-reference-en', 'en', 'usr/share/debian-reference', /^ch(02|05|09)\.en\.html$/),
  site('developers-reference', 'developers-reference', 'en', 'usr/share/developers-reference', /\.html$/),
  site('aptitude', 'aptitude-doc-en', 'en', 'usr/share/doc/aptitude/html/en', /^ch02/),
  site(
    'postgres-admin',
    'postgresql-doc-15',
    'en',
    'usr/share/doc/postgresql-doc-15/html',
    /^(backup|client-authentication|auth|creating|kernel|role|ssl|ssh|monitoring|routine|wal|logical)/,
  ),
  site(
    'postgres-sql',
    'postgresql-doc-15',
    'en',
    'usr/share/doc/postgresql-doc-15/html',
    /^(ddl|dml|queries|indexes|tutorial|textsearch)/,
  ),
  site(
    'apache',
    'apache2-doc',
    'en',
    'usr/share/doc/apache2-doc/manual/en',
    /^(?!mod\/|programs\/|developer\/|rewrite\/|misc\/|platform\/|vhosts\/|ssl\/|howto\/)[a-z].*\.html$/,
  ),
  site('apache-howto', 'apache2-doc', 'en', 'usr/share/doc/apache2-doc/manual/en', /^(howto|ssl|vhosts|misc)\//),
  site(
    'mutt',
    'mutt',
    'en',
    'usr/share/doc/mutt/html',
    /^(gettingstarted|advancedusage|configuration|mimesupport|tuning|miscellany|security|optionalfeatures)\.html$/,
  ),
  site('debian-edu', 'debian-edu-doc-en', 'en', 'usr/share/doc/debian-edu-doc-en', /bullseye|bookworm/),
  site(
    'exim',
    'exim4-doc-html',
    'en',
    'usr/share/doc/exim4-doc-html/spec_html',
    /^ch-(some|introduction|how|access|the_exim|smtp|address|retry|environment|customizing|generic)/,
  ),
  site('django', 'python-django-doc', 'en', 'usr/share/doc/python-django-doc/html', /^(faq|topics|intro)\//),
  site(
    'flask',
    'python-flask-doc',
    'en',
    'usr/share/doc/python-flask-doc/html',
    /^(patterns\/|tutorial\/|[a-hj-z]\w+\.html)/,
  ),
  site('r-faq', 'r-doc-html', 'en', 'usr/share/R/doc/manual', /^R-(FAQ|admin|data)\.html$/),
  site('hplip', 'hplip-doc', 'en', 'usr/share/doc/hplip-doc', /\.html$/),
  site('harden', 'harden-doc', 'en', 'usr/share/doc/harden-doc/html/en-US', /\.html$/),
  site('privoxy', 'privoxy', 'en', 'usr/share/doc/privoxy', /^(faq|user-manual)\//),
  site(
    'shorewall',
    'shorewall-doc',
    'en',
    'usr/share/doc/shorewall-doc/html',
    /^(?!.*(_fr|_ru))(FAQ|support|Multi|troubleshoot|traffic|two|three|VPN|blacklist)/,
  ),
  site(
    'lilypond',
    'lilypond-doc-html',
    'en',
    'usr/share/doc/lilypond/html/Documentation',
    /^(learning|usage)\/(?!.*\.[a-z]{2}\.html$)/,
  ),
  site(
    'music-glossary',
    'lilypond-doc-html',
    'en',
    'usr/share/doc/lilypond/html/Documentation',
    /^notation\/[a-m](?!.*\.[a-z]{2}\.html$)/,
  ),
  site('openshot', 'openshot-qt-doc', 'en', 'usr/share/doc/openshot-qt/html', /^(?!genindex|search)/),
  site('fai', 'fai-doc', 'en', 'usr/share/doc/fai-doc', /\.html$/),
  site(
    'dar',
    'dar-docs',
    'en',
    'usr/share/doc/dar-docs',
    /^(FAQ|Features|Tutorial|Good|dar_s_|Notes|Limitations|usage_notes)/,
  ),
  site('octave', 'octave-doc', 'en', 'usr/share/doc/octave/octave.html', /^[A-D].*-.*\.html$/),
  site('handbook-debian', 'debian-handbook', 'en', 'usr/share/doc/debian-handbook/html/en-US', /^(?!index|ix)/),
  site('weechat', 'weechat-doc', 'en', 'usr/share/doc/weechat-doc/html', /weechat_(faq|quickstart)\.en/),
  site('debian-history', 'debian-history', 'en', 'usr/share/doc/debian-history/docs', /\.en\.html$/),
  site('gimp-tools', 'gimp-help-en', 'en', 'usr/share/gimp/2.0/help/en', /^gimp-(tool|concepts|tutorial)/),
  site(
    'gimp-using',
    'gimp-help-en',
    'en',
    'usr/share/gimp/2.0/help/en',
    /^gimp-(using|images|imaging|layer|selection|color|image)/,
  ),
  site(
    'buildbot',
    'buildbot-doc',
    'en',
    'usr/share/doc/buildbot/html',
    /^(manual\/(concepts|installation|deploy|[a-z]+\.html)|tutorial)/,
  ),
  site(
    'ganeti',
    'ganeti-doc',
    'en',
    'usr/share/doc/ganeti/html',
    /^(admin|install|walkthrough|security|cluster-merge|monitoring)/,
  ),
  site('mailman', 'mailman3-doc', 'en', 'usr/share/doc/mailman3/html', /^src\/mailman\/docs\//),
  site('sphinx', 'sphinx-doc', 'en', 'usr/share/doc/sphinx-doc/html', /^(faq|usage\/)/),
  site('debian-faq-de', 'debian-faq-de', 'de', 'usr/share/doc/debian/FAQ/de', /\.html$/),
  site('debian-faq-ru', 'debian-faq-ru', 'ru', 'usr/share/doc/debian/FAQ/ru', /\.html$/),
  site('debian-reference-de', 'debian-reference-de', 'de', 'usr/share/debian-reference', /^ch(02|05|09)\.de\.html$/),
  site('debian-reference-ja', 'debian-reference-ja', 'ja', 'usr/share/debian-reference', /^ch(02|05|09)\.ja\.html$/),
  site(
    'debian-reference-zh',
    'debian-reference-zh-cn',
    'zh',
    'usr/share/debian-reference',
    /^ch(02|05|09)\.zh-cn\.html$/,
  ),
  site('aptitude-es', 'aptitude-doc-es', 'es', 'usr/share/doc/aptitude/html/es', /^ch02/),
  site('aptitude-fr', 'aptitude-doc-fr', 'fr', 'usr/share/doc/aptitude/html/fr', /^ch02/),
  site('debian-edu-it', 'debian-edu-doc-it', 'it', 'usr/share/doc/debian-edu-doc-it', /bullseye|bookworm/),
  site('harden-fr', 'harden-doc', 'fr', 'usr/share/doc/harden-doc/html/fr-FR', /\.html$/),
  site('harden-pt', 'harden-doc', 'pt', 'usr/share/doc/harden-doc/html/pt-BR', /\.html$/),
  site(
    'lilypond-de',
    'lilypond-doc-html-de',
    'de',
    'usr/share/doc/lilypond/html/Documentation',
    /^learning\/.*\.de\.html$/,
  ),
  site('apache-fr', 'apache2-doc', 'fr', 'usr/share/doc/apache2-doc/manual/fr', /^(howto|ssl|vhosts|misc)\//),
  site('apache-ja', 'apache2-doc', 'ja', 'usr/share/doc/apache2-doc/manual/ja', /^(?!mod\/|programs\/)/),
  site('apache-tr', 'apache2-doc', 'tr', 'usr/share/doc/apache2-doc/manual/tr', /^(?!mod\/|programs\/)/),
  site('apache-ko', 'apache2-doc', 'ko', 'usr/share/doc/apache2-doc/manual/ko', /^(?!mod\/|programs\/)/),
  site('weechat-pl', 'weechat-doc', 'pl', 'usr/share/doc/weechat-doc/html', /weechat_(faq|quickstart)\.pl/),
  site('weechat-de', 'weechat-doc', 'de', 'usr/share/doc/weechat-doc/html', /weechat_(faq|quickstart)\.de/),
];
