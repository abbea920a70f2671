import type { DebianPackage } from './packages.ts';

/** Documentation that questions are asked about. */
export interface SourceDefinition {
  /** Names its question file, too. */
  name: string;
  /** Where its files are: in a Debian package, or in a directory of this repository. */
  from: DebianPackage | { directory: URL };
  language: string;
  /** Folder of the pages, inside the package or the directory. */
  root: string;
  /** Paths below `root`; the crawl begins at the first. */
  pages: string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);

const debianFaq = `index basic-defs getting-debian choosing compatibility software ftparchives pkg-basics pkgtools uptodate
  kernel customizing support contributing redistributing nextrelease faqinfo`;

export const SOURCES: readonly SourceDefinition[] = [
  {
    name: 'handbook',
    from: { directory: new URL('../../../deploy/embedded/demo-site/', import.meta.url) },
    language: 'en',
    root: '.',
    pages: words(`index.html getting-started.html websites.html faqs.html chatbots.html api-keys.html models.html
      troubleshooting.html`),
  },
  {
    name: 'debian-faq',
    from: {
      path: 'pool/main/d/debian-faq/debian-faq_11.1_all.deb',
      sha256: '427426e0cfa6888622fc1d72631071cb4b5a1f86ccde722e7820bcef284de5d0',
    },
    language: 'en',
    root: 'usr/share/doc/debian/FAQ',
    pages: words(debianFaq).map((page) => `${page}.en.html`),
  },
  {
    name: 'borg',
    from: {
      path: 'pool/main/b/borgbackup/borgbackup-doc_1.2.4-1_all.deb',
      sha256: 'f7c621fde76d460f071e8c0803d62198101f1c86ef3430db158f2e789570dbda',
    },
    language: 'en',
    root: 'usr/share/doc/borgbackup/html',
    pages:
      words(`index.html installation.html quickstart.html faq.html support.html usage/general.html usage/create.html
      usage/extract.html usage/check.html usage/prune.html usage/compact.html usage/delete.html usage/diff.html
      usage/info.html usage/init.html usage/key.html usage/list.html usage/lock.html usage/mount.html usage/rename.html
      usage/serve.html usage/tar.html usage/upgrade.html usage/recreate.html usage/notes.html`),
  },
  {
    name: 'git',
    from: {
      path: 'pool/main/g/git/git-doc_2.39.5-0+deb12u3_all.deb',
      sha256: '3c89668a11053a6bafade3de1f611f4613db31e082af63f43d8c5b69ad8795ec',
    },
    language: 'en',
    root: 'usr/share/doc/git-doc',
    pages:
      words(`gitfaq.html gittutorial.html gitignore.html git-add.html git-bisect.html git-branch.html git-cherry-pick.html
      git-clean.html git-clone.html git-commit.html git-gc.html git-merge.html git-mv.html git-pull.html git-reset.html
      git-restore.html git-revert.html git-stash.html git-switch.html git-tag.html git-worktree.html`),
  },
  {
    name: 'fetchmail',
    from: {
      path: 'pool/main/f/fetchmail/fetchmail_6.4.37-1_amd64.deb',
      sha256: '67a888df52239e0988a9170b8d8521fbeca1d9934a8b0f1a3e1ea6982a880ed6',
    },
    language: 'en',
    root: 'usr/share/doc/fetchmail',
    pages: words('fetchmail-FAQ.html fetchmail-features.html design-notes.html'),
  },
  {
    name: 'sqlite',
    from: {
      path: 'pool/main/s/sqlite3/sqlite3-doc_3.40.1-2+deb12u2_all.deb',
      sha256: '466e30d7066e2641fa13e56bc662a2ad521b8cc9c17dde9c9dac3d4f105e32f2',
    },
    language: 'en',
    root: 'usr/share/doc/sqlite3',
    pages:
      words(`docs.html faq.html wal.html whentouse.html foreignkeys.html lang_upsert.html lang_vacuum.html autoinc.html
      limits.html isolation.html stricttables.html cli.html howtocorrupt.html tempfiles.html datatype3.html`),
  },
  {
    name: 'python',
    from: {
      path: 'pool/main/p/python3.11/python3.11-doc_3.11.2-6+deb12u8_all.deb',
      sha256: '50eb63e7f636c4281e9ce1b8f10386f1def42159eddce34fc1f41c46261df71b',
    },
    language: 'en',
    root: 'usr/share/doc/python3.11/html',
    pages:
      words(`faq/index.html faq/general.html faq/programming.html faq/design.html faq/library.html faq/extending.html
      faq/windows.html faq/gui.html faq/installed.html tutorial/interpreter.html tutorial/modules.html
      tutorial/errors.html tutorial/venv.html tutorial/appendix.html`),
  },
  {
    name: 'debian-faq-de',
    from: {
      path: 'pool/main/d/debian-faq/debian-faq-de_11.1_all.deb',
      sha256: 'e9a8d8234f4b182660d521f80f50cea87f797b4541005a3d64fab7777766f6de',
    },
    language: 'de',
    root: 'usr/share/doc/debian/FAQ/de',
    pages: words(debianFaq).map((page) => `${page}.de.html`),
  },
  {
    name: 'debian-faq-ru',
    from: {
      path: 'pool/main/d/debian-faq/debian-faq-ru_11.1_all.deb',
      sha256: 'aaaae7a409c5cf5f5b8c26991f6ef484297e0cd2dee74c8d675cfa6613bce541',
    },
    language: 'ru',
    root: 'usr/share/doc/debian/FAQ/ru',
    pages: words(debianFaq).map((page) => `${page}.ru.html`),
  },
];
