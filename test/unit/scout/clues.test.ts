import { describe, expect, it } from 'vitest';
import { framesOf, linesOf } from '../../../extension/core/evidence/scout/clues/index.ts';
import { errorsOf, factsOf, identifiersOf, pathsOf, quotedOf } from '../../../extension/core/evidence/scout/clues/text.ts';

function frames(text: string): [string, number | undefined, string | undefined][] {
  return framesOf(linesOf(text)).map(({ file, line, symbol }) => [file, line, symbol]);
}

describe('stack traces', () => {
  it('of Node and Chrome', () => {
    expect(frames('TypeError: x is not a function\n    at Cart.total (/app/src/cart/cart.ts:12:5)\n    at async Promise.all (index 0)\n    at /app/src/main.js:3:1\n    at new Router (file:///C:/shop/src/router.js:9:11)')).toEqual([
      ['/app/src/cart/cart.ts', 12, 'Cart.total'],
      ['/app/src/main.js', 3, undefined],
      ['/shop/src/router.js', 9, 'Router'],
    ]);
  });
  it('of bundlers', () => {
    expect(frames('    at render (webpack-internal:///./src/view/list.vue?1234:20:7)')).toEqual([['src/view/list.vue', 20, 'render']]);
  });
  it('of Firefox and Safari', () => {
    expect(frames('total@https://shop.example/static/cart.js:12:5\n@https://shop.example/static/main.js:1:2')).toEqual([
      ['shop.example/static/cart.js', 12, 'total'],
      ['shop.example/static/main.js', 1, undefined],
    ]);
  });
  it('of Python, with log prefixes, notebooks and pytest', () => {
    expect(frames('INTERNALERROR> Traceback (most recent call last):\nINTERNALERROR>   File "/usr/lib/python3.8/site-packages/shop/cart.py", line 191, in total\n~/lib/python3/site-packages/shop/plot.py in draw(data, **kws)\nshop/cart.py:44: ValueError')).toEqual([
      ['/usr/lib/python3.8/site-packages/shop/cart.py', 191, 'total'],
      ['~/lib/python3/site-packages/shop/plot.py', undefined, 'draw'],
      ['shop/cart.py', 44, 'ValueError'],
    ]);
  });
  it('of Java and Kotlin, where the package gives the folder', () => {
    expect(frames('java.lang.NullPointerException: null\n\tat java.base/java.util.Objects.requireNonNull(Objects.java:208)\n\tat com.shop.cart.Cart$Line.total(Cart.java:33)\n\tat com.shop.MainKt.main(Main.kt:5)\nCaused by: x')).toEqual([
      ['java/util/Objects.java', 208, 'Objects.requireNonNull'],
      ['com/shop/cart/Cart.java', 33, 'Cart$Line.total'],
      ['com/shop/Main.kt', 5, 'MainKt.main'],
    ]);
  });
  it('of Go', () => {
    expect(frames('goroutine 1 [running]:\ngithub.com/shop/cart.(*Cart).Total(0xc000010000)\n\t/home/me/shop/cart/cart.go:31 +0x1d\nmain.main()\n\t/home/me/shop/main.go:9 +0x20')).toEqual([
      ['/home/me/shop/cart/cart.go', 31, 'cart.(*Cart).Total'],
      ['/home/me/shop/main.go', 9, 'main.main'],
    ]);
  });
  it('of Rust', () => {
    expect(frames("thread 'main' panicked at src/cart.rs:12:5:\nindex out of bounds\n   3: shop::cart::total::h0123456789abcdef\n             at ./src/cart.rs:10:9")).toEqual([
      ['src/cart.rs', 12, undefined],
      ['src/cart.rs', 10, 'shop::cart::total'],
    ]);
  });
  it('of .NET, with and without files', () => {
    expect(frames('   at Shop.Cart.Total(Item[] items) in C:\\src\\Shop\\Cart.cs:line 21\n   at Shop.Web.Pages.Start.OnGet()')).toEqual([
      ['/src/Shop/Cart.cs', 21, 'Shop.Cart.Total'],
      ['Start.cs', undefined, 'Shop.Web.Pages.Start.OnGet'],
    ]);
  });
  it('of Ruby', () => {
    expect(frames("app/models/cart.rb:14:in `total'\n\tfrom /app/lib/shop.rb:3:in 'Shop#run'")).toEqual([
      ['app/models/cart.rb', 14, 'total'],
      ['/app/lib/shop.rb', 3, 'Shop#run'],
    ]);
  });
  it('of PHP', () => {
    expect(frames('PHP Fatal error:  Uncaught Error in /var/www/src/Cart.php:18\n#0 /var/www/src/Shop.php(7): Cart->total()\nWarning: x in /var/www/index.php on line 3')).toEqual([
      ['/var/www/src/Cart.php', 18, undefined],
      ['/var/www/src/Shop.php', 7, 'Cart->total'],
      ['/var/www/index.php', 3, undefined],
    ]);
  });
  it('of Swift', () => {
    expect(frames('Fatal error: Index out of range: file Shop/Cart.swift, line 40\n3   Shop    0x0000000104 Cart.total() + 123 (Cart.swift:41)')).toEqual([
      ['Shop/Cart.swift', 40, undefined],
      ['Cart.swift', 41, 'Cart.total()'],
    ]);
  });
  it('of C and C++', () => {
    expect(frames('#1  0x00005555 in cart_total (cart=0x0) at src/cart.c:52\nsrc/shop.cpp:9:3: error: no member')).toEqual([
      ['src/cart.c', 52, 'cart_total'],
      ['src/shop.cpp', 9, undefined],
    ]);
  });
  it('are not seen in prose', () => {
    expect(frames('We met at the shop. I looked at it in detail (see above), at 10:30.\nfoo.bar is at fault.')).toEqual([]);
  });
});

describe('text', () => {
  it('gives paths, file names and links into repositories with their lines', () => {
    const found = pathsOf(linesOf('See src/cart/cart.ts:12 and `utils.py`, or https://github.com/a/b/blob/0123abc/lib/x.js#L5-L9. Not e.g. this.'));
    expect(found.map(({ path, line, endLine }) => [path, line, endLine])).toEqual(expect.arrayContaining([['src/cart/cart.ts', 12, undefined], ['utils.py', undefined, undefined], ['lib/x.js', 5, 9]]));
  });
  it('gives error messages with and without a type', () => {
    expect(errorsOf(linesOf('com.shop.CartError: no such item: 5\nERROR could not open the drawer'))).toEqual([
      { name: 'CartError', message: 'no such item: 5', at: 0 },
      { message: 'could not open the drawer', at: 42 },
    ]);
  });
  it('gives quoted texts of any kind of quote', () => {
    expect(quotedOf(linesOf('It says "Save as" and “Cancel now”, `doIt()`, \'not known\', don\'t.')).map(({ text }) => text)).toEqual(['Save as', 'Cancel now', 'doIt()', 'not known']);
  });
  it('gives names that look like code', () => {
    expect(identifiersOf('the addItem of Cart.total, MAX_SIZE, key-spacing and run() but no plain words').map(({ text }) => text)).toEqual(['addItem', 'Cart.total', 'MAX_SIZE', 'key-spacing', 'run']);
  });
  it('gives versions, addresses, dates, commits and tickets', () => {
    const facts = factsOf(linesOf('v1.2.3-beta.1 since 2024-05-06, see https://x.example/a and deadbeef1, #12, other/repo#34, SHOP-56'));
    expect(facts.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['url https://x.example/a', 'version 1.2.3-beta.1', 'date 2024-05-06', 'commit deadbeef1', 'ticket #12', 'ticket other/repo#34', 'ticket SHOP-56']);
  });
});
