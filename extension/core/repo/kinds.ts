/** What part a file plays in a repository, judged by its path alone. */
export type FileRole = 'source' | 'test' | 'doc' | 'example' | 'config' | 'style' | 'markup' | 'locale' | 'types' | 'script' | 'generated' | 'vendored' | 'data' | 'binary';

const sourceExtensions = new Set(
  'py pyx pyi js jsx mjs cjs ts tsx mts cts vue svelte astro go java kt kts scala groovy rb rs cs fs vb php swift m mm c cc cpp cxx h hh hpp hxx dart ex exs erl hs clj cljs lua pl pm r jl sql proto graphql gql coffee elm zig nim ml mli'.split(' '),
);
const markupExtensions = new Set('html htm xhtml hbs ejs erb haml pug jade twig jinja j2 jinja2 mustache liquid jsp cshtml razor xaml tmpl ftl vm'.split(' '));
const styleExtensions = new Set('css scss sass less styl'.split(' '));
const docExtensions = new Set('md mdx markdown rst adoc asciidoc txt org textile'.split(' '));
const configExtensions = new Set('json jsonc json5 yaml yml toml ini cfg conf xml properties gradle cmake mk bazel bzl lock plist editorconfig env gn gni nix'.split(' '));
const scriptExtensions = new Set('sh bash zsh fish ps1 bat cmd'.split(' '));
const binaryExtensions = new Set(
  'png jpg jpeg gif webp ico bmp tif tiff psd ai eps pdf zip gz tgz bz2 xz 7z rar jar war ear class o a so dll dylib exe bin wasm woff woff2 ttf otf eot mp3 mp4 m4a mov avi webm wav ogg flac pyc pyo pyd db sqlite sqlite3 fits npy npz pkl parquet snap map pack idx keystore jks p12 der crt pem'.split(' '),
);

const vendored = /(?:^|\/)(?:node_modules|bower_components|jspm_packages|vendor|vendors|vendored|third[_-]?party|thirdparty|Godeps|Pods|Carthage|\.yarn|\.pnp|site-packages|extern)\//i;
const generated = /^(?:build|out|target|bin)\/|(?:^|\/)(?:dist|generated|__generated__|coverage|\.next|\.nuxt|\.output|__pycache__|\.venv|venv|\.tox|\.gradle|\.cache|\.idea)\/|\.min\.[a-z]+$|[.-]bundle\.[cm]?js$|\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|\.g\.(?:cs|dart)$|\.designer\.cs$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|cargo\.lock|gemfile\.lock|poetry\.lock|go\.sum)$/i;
const tests = /(?:^|\/)(?:tests?|__tests__|__mocks__|mocks?|testing|specs?|e2e|cypress|playwright|fixtures?|testdata|test[-_][^/]*|[^/]*[-_]tests?|testutils?|__snapshots__|unittests?|[a-z]*Test)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py|dart|exs|rb|cc|cpp)$|_spec\.rb$|[.-](?:test|tests|spec|e2e|stories|story|cy)\.[cm]?[jt]sx?$|(?:Test|Tests|IT|TestCase|Spec|TestBase)\.(?:java|kt|cs|scala|groovy|swift|php)$/;
const examples = /(?:^|\/)(?:examples?|samples?|demos?|playgrounds?|tutorials?|benchmarks?|bench|storybook|stories|showcase|templates?-app|\.storybook)\//i;
const docs = /(?:^|\/)(?:docs?|documentation|website|wiki|changelogs?|releasenotes|whatsnew|\.github)\//i;
const changelog = /(?:^|\/)(?:changelog|changes|history|news|authors|contributors|license|licence|notice|copying|releases?)$/i;
const locales = /(?:^|\/)(?:locales?|i18n|l10n|translations?|nls)\/.+|(?:^|[./_-])nls\.[a-z.-]*json$|\.(?:po|pot|mo|xlf|xliff|strings|arb)$/i;

/** The lower-case extension without its dot; empty when there is none. */
export function extensionOf(path: string): string {
  const slash = path.lastIndexOf('/');
  const dot = path.lastIndexOf('.');
  return dot > slash + 1 ? path.slice(dot + 1).toLowerCase() : '';
}

/** The role of a file. The first of: vendored, generated, binary, test, example, doc, locale, then by extension. */
export function roleOf(path: string): FileRole {
  const extension = extensionOf(path);
  if (binaryExtensions.has(extension)) return 'binary';
  if (vendored.test(path)) return 'vendored';
  if (generated.test(path)) return 'generated';
  if (tests.test(path)) return 'test';
  if (examples.test(path)) return 'example';
  if (docs.test(path) || changelog.test(path) || docExtensions.has(extension)) return 'doc';
  if (/\.d\.[cm]?ts$/.test(path)) return 'types';
  if (locales.test(path)) return 'locale';
  if (sourceExtensions.has(extension)) return /^(?:scripts?|tools?|ci|hack|\.ci|build-?tools?|buildscripts?|tasks?)\//i.test(path) ? 'script' : 'source';
  if (styleExtensions.has(extension)) return 'style';
  if (markupExtensions.has(extension)) return 'markup';
  if (scriptExtensions.has(extension)) return 'script';
  if (configExtensions.has(extension)) return 'config';
  return 'data';
}

/** Larger files are not indexed. */
export const maxIndexedBytes = 1_000_000;

/** Whether the contents of such a file are worth indexing at all. */
export function isIndexed(role: FileRole, extension: string, size: number): boolean {
  if (size > maxIndexedBytes || size === 0) return false;
  if (role === 'binary' || role === 'vendored' || role === 'generated' || role === 'data') return false;
  if (role === 'config') return size <= 100_000;
  if (extension === 'svg' || extension === 'csv' || extension === 'tsv') return false;
  if (role === 'test' || role === 'example' || role === 'doc' || role === 'locale')
    return (sourceExtensions.has(extension) || docExtensions.has(extension)) && size <= 300_000;
  return true;
}
