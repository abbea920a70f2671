import { bullets, type Chapter, code, docbook, screen } from './docbook.ts';

/** Five chapters about a Linux distribution, on which answers went wrong in ways that the pages of other tests did not show. */
const CHAPTERS: Record<string, Omit<Chapter, 'previous' | 'next'>> = {
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
        id: 'oldnames',
        heading: '2.2. Which codenames have been used in the past?',
        html: `<p>Other codenames of Debian releases that have been used are: ${[
          ...['buzz for release 1.1', 'rex for release 1.2', 'bo for release 1.3', 'hamm for release 2.0'],
          ...['slink for release 2.1', 'potato for release 2.2', 'woody for release 3.0', 'sarge for release 3.1'],
          'etch for release 4.0',
        ]
          .map((name) => `<span class="emphasis"><em>${name.split(' ')[0]}</em></span>${name.slice(name.indexOf(' '))}`)
          .join(', ')}.</p>`,
      },
      {
        id: 'names',
        heading: '2.3. Where do these codenames come from?',
        html: `<p>Until now they have been characters of the "Toy Story" films.</p>${bullets(
          'buzz (release 1.1) was the spaceman,',
          'rex (release 1.2) was the dinosaur,',
          'bo (release 1.3) was the shepherdess,',
          'hamm (release 2.0) was the piggy bank,',
          'woody (release 3.0) was the cowboy,',
          'sarge (release 3.1) was the sergeant of the plastic soldiers.',
        )}`,
      },
      {
        id: 'pool',
        heading: '2.4. What is in the pool directory?',
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
        html: `<p>There are complete binary distributions for these architectures:</p>${bullets(
          'amd64: systems on AMD and Intel processors with the 64 bit extension.',
          'arm64: recent devices with 64 bit ARM processors.',
          'i386: PCs with Intel processors and compatible ones, old ones among them.',
        )}<p>The old PC ports of other kernels are no longer released.</p>`,
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

const pages = Object.keys(CHAPTERS);

/** By path, with an index that leads to all of them. */
export const DISTRIBUTION_PAGES: Record<string, string> = {
  '/': `<html lang="en"><head><title>Questions and answers</title></head><body><h1>Questions and answers</h1><ul>${pages
    .map((page) => `<li><a href="${page}">${CHAPTERS[page]!.title}</a></li>`)
    .join('')}</ul></body></html>`,
  ...Object.fromEntries(
    pages.map((page, i) => [
      `/${page}`,
      docbook(page, { ...CHAPTERS[page]!, previous: pages[i - 1] ?? '/', next: pages[i + 1] ?? '/' }),
    ]),
  ),
};
