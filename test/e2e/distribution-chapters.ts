import { bullets, type Chapter, code, screen } from './docbook.ts';

/** A paragraph for each text. */
const says = (...paragraphs: string[]): string => paragraphs.map((text) => `<p>${text}</p>`).join('');

/**
 * Chapters that make the knowledge about as broad as that of a real FAQ. What a question's words weigh, and whether a passage
 * stands out, shows only among many others of its field.
 */
export const FURTHER_CHAPTERS: Record<string, Omit<Chapter, 'previous' | 'next'>> = {
  'getting.html': {
    title: 'Chapter 6. Getting it',
    sections: [
      {
        id: 'version',
        heading: '6.1. What is the latest version of Debian?',
        html: says(
          'There are always three versions at a time. Stable is the latest official release; it hardly changes, and is what most people should install. Testing collects what will be the next release. Unstable is where developers put new packages first, and where something breaks now and then.',
        ),
      },
      {
        id: 'boot',
        heading: '6.2. Where do I get the installation disks?',
        html: says(
          'Download an image for your architecture from a mirror near you and write it to a USB stick or a disc. The small image holds only what is needed to start; everything else is fetched over the network while you install. The complete image is for machines without a fast line.',
        ),
      },
      {
        id: 'network',
        heading: '6.3. Can I install it from the Internet?',
        html: says(
          'Yes. Start the installer from the small image or over the network with TFTP, and it asks for a mirror. Ethernet works nearly always; for some wireless adapters the installer asks for a firmware file on a second stick.',
        ),
      },
      {
        id: 'vendors',
        heading: '6.4. May I sell discs with Debian on them?',
        html: says(
          'You may. Nothing has to be paid to anyone, and no permission is needed for the free part. Read the licences of the packages outside it before you put them on a disc that you sell, and tell buyers what they get.',
        ),
      },
    ],
  },
  'choosing.html': {
    title: 'Chapter 7. Choosing a version',
    sections: [
      {
        id: 'which',
        heading: '7.1. Should I install stable, testing or unstable?',
        html: says(
          'For a server, or if you have never used Linux, take stable. For a desktop with recent programs, and some patience, testing is a fair compromise. Unstable is for people who like to repair things and who want to help find errors early.',
          'New hardware is a reason for testing, too: its kernel knows devices that were not sold yet when stable was released.',
        ),
      },
      {
        id: 'security',
        heading: '7.2. Which of them gets security updates?',
        html: says(
          'The security team looks after stable, and for a year after a release after the one before it. Testing gets repairs as they arrive from unstable, which may take days. Nobody promises anything for unstable, though its maintainers are usually quick.',
        ),
      },
      {
        id: 'back',
        heading: '7.3. Can I go back from unstable to stable?',
        html: says(
          'Not really. Packages know how to be upgraded; nobody tests the way back, and configuration files of a newer program may be unreadable for the older one. Make a backup and install stable anew.',
        ),
      },
      {
        id: 'freeze',
        heading: '7.4. What happens when a new release is made?',
        html: says(
          'Testing is frozen some months before: only repairs get in. When few serious errors are left it becomes the new stable, gets a version number, and a copy of it is the beginning of the next testing under a new codename. Whoever wrote the codename into the list of sources stays with that release; whoever wrote testing moves on.',
        ),
      },
      {
        id: 'derived',
        heading: '7.5. What about distributions that are made from Debian?',
        html: says(
          'There are many. Some start from a live disc, some come with another desktop, some come out every six months. Mixing packages of both often ends in trouble, since versions of libraries differ.',
        ),
      },
    ],
  },
  'formats.html': {
    title: 'Chapter 8. The package format',
    sections: [
      {
        id: 'package',
        heading: '8.1. What is a Debian package?',
        html: says(
          'A file that has all that is needed to run a program or to use a library: the executables, documentation, manual pages, and scripts that are run when it is installed or removed. There are binary packages, which you install, and source packages, from which those are built.',
        ),
      },
      {
        id: 'names',
        heading: '8.2. Why do package files have such long names?',
        html: says(
          'A name is made of the package, its version, the revision of its maintainer, and the architecture, with underscores between them. Ask for the name without opening the file:',
        ).concat(screen('dpkg --info foo_1.0-2_amd64.deb')),
      },
      {
        id: 'depends',
        heading: '8.3. What does it mean that a package depends on another one?',
        html: says(
          'Depends: it does not work at all without the other. Recommends: most people want both. Suggests: the other adds something. Conflicts: both at once is impossible, because they have a file in common or contradict each other. Tools that install packages read these fields and fetch what is missing.',
        ),
      },
      {
        id: 'virtual',
        heading: '8.4. What is a virtual package?',
        html: says(
          'A name for a function that several packages provide, such as a mail server or a browser. Another package may depend on the function without naming who fulfils it, so that you can choose.',
        ),
      },
      {
        id: 'hold',
        heading: '8.5. How do I keep a package at its version?',
        html: says('Put it on hold; upgrades leave it out until you take the mark away:').concat(
          screen('apt-mark hold foo'),
          screen('apt-mark unhold foo'),
        ),
      },
      {
        id: 'source',
        heading: '8.6. How do I build a package from its source?',
        html: says('Fetch the source, what is needed for building it, and start the build in its directory:').concat(
          screen('apt-get source foo'),
          screen('apt-get build-dep foo'),
          screen('debuild -b -uc -us'),
        ),
      },
    ],
  },
  'updating.html': {
    title: 'Chapter 9. Staying up to date',
    sections: [
      {
        id: 'howto',
        heading: '9.1. How do I keep my system up to date?',
        html: says('Read the lists of the mirrors, then fetch and install what is newer than what you have:').concat(
          screen('apt-get update'),
          screen('apt-get upgrade'),
        ),
      },
      {
        id: 'single',
        heading: '9.2. Must I stop everything to upgrade a package?',
        html: says(
          'No. Packages are replaced in place, on a running system. Services are restarted by the scripts of their packages; only a new kernel needs a restart of the machine.',
        ),
      },
      {
        id: 'cache',
        heading: '9.3. We have several computers. Must each of them download everything?',
        html: says(
          'Run a proxy for packages, such as apt-cacher, on one of them and let the others ask it: a package then comes over the line once. On slow lines that saves hours.',
        ),
      },
      {
        id: 'log',
        heading: '9.4. Is there a record of what was installed?',
        html: says(
          `The log in ${code('/var/log/dpkg.log')} has a line for each step, with date and version. Old ones are compressed and kept for a year.`,
        ),
      },
    ],
  },
  'tuning.html': {
    title: 'Chapter 10. Changing the system',
    sections: [
      {
        id: 'paper',
        heading: '10.1. How can all programs use the same paper size?',
        html: says(
          `Install libpaper1 and answer its question; the size is kept in ${code('/etc/papersize')}, and programs that print read it there. A user may set another one in an environment variable.`,
        ),
      },
      {
        id: 'devices',
        heading: '10.2. How do I let users have a device?',
        html: says(
          'Devices belong to groups, such as audio, video or cdrom. Whoever is in the group may use the device after the next login:',
        ).concat(screen('adduser anna cdrom')),
      },
      {
        id: 'services',
        heading: '10.3. How do I keep a service from starting?',
        html: says('Disable it; the package stays installed, and enabling it again brings it back:').concat(
          screen('systemctl disable foo'),
        ),
      },
      {
        id: 'divert',
        heading: '10.4. How do I put my own file in place of one from a package?',
        html: says(
          'Divert the file. The package then installs its version under another name, at each upgrade, and yours stays:',
        ).concat(screen('dpkg-divert --add /usr/bin/foo')),
      },
      {
        id: 'kernel',
        heading: '10.5. How do I get rid of old kernels?',
        html: says('Look which one runs, then purge the others as you purge any package:').concat(
          screen('uname -r'),
          screen('dpkg --purge linux-image-5.10.0-1-amd64'),
        ),
      },
      {
        id: 'modules',
        heading: '10.6. How do I load a module at the start?',
        html: says(
          `Write its name into a file below ${code('/etc/modules-load.d/')}. Options belong into ${code('/etc/modprobe.d/')}. Most modules are loaded by themselves when their device shows up.`,
        ),
      },
    ],
  },
  'software.html': {
    title: 'Chapter 11. Programs in the archive',
    sections: [
      {
        id: 'kinds',
        heading: '11.1. What kinds of programs are there?',
        html: `<p>Nearly everything that is free and that somebody uses:</p>${bullets(
          'desktops, from small window managers to complete environments with office programs,',
          'compilers and libraries for about any language,',
          'servers for web, mail, files and databases,',
          'tools for typesetting, mathematics, electronics, music and maps.',
        )}`,
      },
      {
        id: 'nonfree',
        heading: '11.2. Why is a program that I need not in the main archive?',
        html: says(
          'Its licence may forbid to change it or to sell it: then it is in non-free. Or it is free but needs something that is not: then it is in contrib. Both can be added to the list of sources; neither is part of the distribution.',
        ),
      },
      {
        id: 'linker',
        heading: '11.3. The linker does not find a library that is installed. Why?',
        html: says(
          `What compilers need is in a package of its own, whose name ends with ${code('-dev')}. Without it there are no headers and no link without a version number.`,
        ),
      },
      {
        id: 'whichversion',
        heading: '11.4. How do I see which version I am running?',
        html: says(`The file ${code('/etc/debian_version')} has its number; this command says more:`).concat(
          screen('lsb_release -a'),
        ),
      },
      {
        id: 'languages',
        heading: '11.5. Does it speak other languages than English?',
        html: says(
          'The installer speaks more than seventy. Manual pages are translated in packages by language, and programs choose the language of the user who runs them. Keyboards and fonts for most scripts are in the archive.',
        ),
      },
    ],
  },
};
