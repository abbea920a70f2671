import { FURTHER_CHAPTERS } from './distribution-chapters.ts';
import { bullets, code, docbook, screen } from './docbook.ts';

/**
 * Chapters about a Linux distribution, on which answers went wrong in ways that the pages of other tests did not show. They
 * are built as those of Debian's FAQ, in words of our own.
 */
const CHAPTERS: typeof FURTHER_CHAPTERS = {
  'basics.html': {
    title: 'Chapter 1. What Debian is',
    sections: [
      {
        id: 'what',
        heading: '1.1. What is Debian GNU/Linux?',
        html: `<p>Debian GNU/Linux is a distribution of the Linux operating system together with many packages that run on it.
          It is:</p>${bullets(
            '<p><span class="emphasis"><em>complete</em></span>: it has more than fifty thousand packages. You choose the ones that you install.</p>',
            '<p><span class="emphasis"><em>free to use and to pass on</em></span>: nobody has to be a member or to pay. It costs nothing, and every packaged part of it may be given away again.</p>',
            '<p><span class="emphasis"><em>alive</em></span>: about a thousand volunteers improve it every day.</p>',
          )}`,
      },
      {
        id: 'kernel',
        heading: '1.2. Then what is Linux?',
        html: '<p>Linux is the kernel of a Unix-like operating system. Linus Torvalds began it for the 386 processor.</p>',
      },
      {
        id: 'difference',
        heading: '1.3. Why should I choose Debian over some other distribution?',
        html: `<p>These features set it apart:</p><div class="variablelist"><dl class="variablelist">
          <dt><span class="term">Freedom:</span></dt><dd><p>The <a href="https://www.debian.org/social_contract">Debian Social
          Contract</a> is the promise that the distribution stays entirely free software, and that its users come
          first.</p></dd><dt><span class="term">Maintenance:</span></dt><dd><p>Any part of a system can be upgraded in place,
          without formatting a disk and mostly without a reboot.</p></dd><dt><span class="term">Openness:</span></dt><dd><p>It
          is developed in public by volunteers, and not by one company.</p></dd></dl></div>`,
      },
    ],
  },
  'archives.html': {
    title: 'Chapter 2. The archives',
    sections: [
      {
        id: 'dists',
        heading: '2.1. How many distributions are there?',
        html: '<p>There are three: stable, testing and unstable. Testing is sometimes frozen.</p>',
      },
      {
        id: 'codenames',
        heading: '2.2. What are all those names such as etch and lenny?',
        html: '<p>They are codenames. While a release is made it has no number yet, but a name, so that no mirror takes an unfinished one for the final one. Once it is out, its number comes first: Debian 4.0 was called etch until then.</p>',
        sections: [
          {
            id: 'oldnames',
            heading: '2.2.1. Which codenames have been used in the past?',
            html: `<p>Other codenames of Debian releases that have been used are: ${[
              ...['buzz for release 1.1', 'rex for release 1.2', 'bo for release 1.3', 'hamm for release 2.0'],
              ...['slink for release 2.1', 'potato for release 2.2', 'woody for release 3.0', 'sarge for release 3.1'],
              'etch for release 4.0',
            ]
              .map(
                (name) =>
                  `<span class="emphasis"><em>${name.split(' ')[0]}</em></span>${name.slice(name.indexOf(' '))}`,
              )
              .join(', ')}.</p>`,
          },
          {
            id: 'names',
            heading: '2.2.2. Where do these codenames come from?',
            html: `<p>So far, they have been taken from characters of the "Toy Story" films.</p>${bullets(
              'buzz (Debian 1.1) was the spaceman Buzz Lightyear,',
              'rex (Debian 1.2) was the tyrannosaurus,',
              'bo (Debian 1.3) was Bo Peep, the girl who took care of the sheep,',
              'hamm (Debian 2.0) was the piggy bank,',
              'slink (Debian 2.1) was the toy dog with a spring for a body,',
              'potato (Debian 2.2) was, of course, Mr. Potato,',
              'woody (Debian 3.0) was the cowboy,',
              'sarge (Debian 3.1) was the sergeant of the green plastic soldiers,',
              'etch (Debian 4.0) was the toy blackboard,',
              'lenny (Debian 5.0) was the toy binoculars,',
              'squeeze (Debian 6.0) was one of the aliens with three eyes,',
              'wheezy (Debian 7) was the rubber penguin with a red bow tie,',
              'jessie (Debian 8) was the cowgirl,',
              'stretch (Debian 9) was the rubber octopus,',
              'buster (Debian 10) was the dog of the house.',
            )}<p>The decision to use these names was made by a leader of the project who worked for the company that made the
          films.</p>`,
          },
        ],
      },
      {
        id: 'pool',
        heading: '2.3. What is in the pool directory?',
        html: '<p>The packages themselves, sorted by the first letter of their source. The index files are elsewhere.</p>',
      },
    ],
  },
  'tools.html': {
    title: 'Chapter 3. Tools for packages',
    sections: [
      {
        id: 'installed',
        heading: '3.1. How can I tell what packages are installed?',
        html: `<p>To see the status of every package, run</p>${screen('dpkg --list')}<p>It prints a line for each.</p>`,
      },
      {
        id: 'listfiles',
        heading: '3.2. How do I display the files of an installed package?',
        html: `<p>To list the files of the package ${code('foo')}, run the command</p>${screen('dpkg --listfiles foo')}
          <p>Files that its installation scripts have made are not in the list.</p>`,
      },
      {
        id: 'filesearch',
        heading: '3.3. How can I find out what package produced a particular file?',
        html: `<p>To identify the package that produced the file named ${code('foo')} execute either:</p>${bullets(
          `<p>${code('dpkg --search foo')}</p><p>This looks through the packages that are installed. The
            ${code('dlocate')} tool does the same faster.</p>`,
          `<p>${code('apt-file search foo')}</p><p>This looks through all packages of the archive, too. It has to be
            installed first.</p>`,
        )}`,
      },
      {
        id: 'remove',
        heading: '3.4. How do I remove a package with its configuration?',
        html: `<p>Removing leaves the configuration files behind. Purging does not:</p>${screen('dpkg --purge foo')}`,
      },
    ],
  },
  'hardware.html': {
    title: 'Chapter 4. Hardware',
    sections: [
      {
        id: 'arches',
        heading: '4.1. On what hardware does Debian GNU/Linux run?',
        html: `<p>The current release has complete binary distributions for these architectures:</p>${bullets(
          'amd64: systems on AMD processors with the AMD64 extension, and on Intel processors with the EM64T extension, in a common 64-bit user space.',
          'arm64: the latest 64-bit devices with ARM processors.',
          'armhf: the 32-bit ones before them that have a unit for floating point.',
          'i386: systems on Intel processors and compatible ones, by Intel, AMD, Cyrix and others.',
          'mips64el: little-endian 64-bit processors of the MIPS family.',
          'ppc64el: 64-bit processors of the POWER family from POWER7 on.',
          's390x: 64-bit mainframes of the System z.',
        )}<p>Others are being ported, or were supported once: Alpha, PA-RISC, SPARC and the Motorola 680x0 among them. Support
          for the last one ended since nobody kept its packages up to date; old releases for it are in the archive.</p><p>The
          source of all programs is there, so that most of them compile on any system that runs Linux.</p>`,
      },
      {
        id: 'wireless',
        heading: '4.2. My wireless network card does not work with Linux. What should I do?',
        html: '<p>Buy one that does. Or run its Windows driver with ndiswrapper.</p>',
      },
      {
        id: 'replace',
        heading: '4.3. How can a running program be updated?',
        html: '<p>The kernel lets files be replaced while they are in use; a program in memory keeps the file that it has opened. You can run the new one after a restart of the service.</p>',
      },
    ],
  },
  'helping.html': {
    title: 'Chapter 5. Helping the project',
    sections: [
      {
        id: 'join',
        heading: '5.1. How can I become a Debian developer?',
        html: '<p>Adopt an orphaned package, write documentation, or translate it. The corner for new members says how to apply.</p>',
      },
      {
        id: 'money',
        heading: '5.2. How can I contribute financially?',
        html: '<p>Donations pay for hardware and for meetings. Software in the Public Interest collects them in the United States; it is a charity under its law, and a social and legal umbrella of many projects.</p>',
      },
      {
        id: 'trusted',
        heading: '5.3. Other organizations',
        html: '<p>A number of organizations in different countries hold assets in trust for Debian. The donations page lists these trusted organizations, to which anyone can donate. At the moment there are two: one in France, one in Switzerland.</p>',
      },
      {
        id: 'bugs',
        heading: '5.4. Are there logs of known bugs?',
        html: '<p>All reports are public, as the Debian Social Contract promises: problems are not hidden. Report one with <span class="command"><strong>reportbug</strong></span>.</p>',
      },
    ],
  },
};

const ALL = { ...CHAPTERS, ...FURTHER_CHAPTERS };
const pages = Object.keys(ALL);

/** By path, with an index that leads to all of them. */
export const DISTRIBUTION_PAGES: Record<string, string> = {
  '/': `<html lang="en"><head><title>Questions and answers</title></head><body><h1>Questions and answers</h1><ul>${pages
    .map((page) => `<li><a href="${page}">${ALL[page]!.title}</a></li>`)
    .join('')}</ul></body></html>`,
  ...Object.fromEntries(
    pages.map((page, i) => [
      `/${page}`,
      docbook(page, { ...ALL[page]!, previous: pages[i - 1] ?? '/', next: pages[i + 1] ?? '/' }),
    ]),
  ),
};
