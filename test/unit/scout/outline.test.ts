import { describe, expect, it } from 'vitest';
import { Outliner } from '../../../extension/core/repo/symbols/outline.ts';
import { grammars } from './helpers.ts';

const outliner = new Outliner(grammars);

async function outline(file: string, text: string, using = outliner): Promise<string[]> {
  return (await using.outline(file, text)).map((symbol) => `${symbol.kind} ${[...symbol.within, symbol.name].join('.')} ${symbol.line}-${symbol.endLine}`);
}

describe('outlines', () => {
  it.each([
    ['a.js', 'class Cart {\n  total() {\n  }\n}\nconst add = (a) => a;\nconst none = 1;\nCart.prototype.drop = function () {};\n', ['class Cart 1-4', 'method Cart.total 2-3', 'function add 5-5', 'function Cart.prototype.drop 7-7']],
    ['a.ts', 'export interface Item { a: 1 }\nenum Kind { x }\ntype T = string;\nexport function f(): void {\n}\n', ['interface Item 1-1', 'enum Kind 2-2', 'type T 3-3', 'function f 4-5']],
    ['a.tsx', 'export const View = () => <b>x</b>;\n', ['function View 1-1']],
    ['a.py', 'class Cart:\n    def total(self):\n        return 1\n\ndef add(x):\n    pass\n', ['class Cart 1-3', 'function Cart.total 2-3', 'function add 5-6']],
    ['A.java', 'class A {\n  A() {}\n  int total() {\n    return 1;\n  }\n}\n', ['class A 1-6', 'method A.A 2-2', 'method A.total 3-5']],
    ['a.go', 'package a\n\ntype Cart struct{}\n\nfunc (c *Cart) Total() int {\n\treturn 1\n}\n\nfunc add() {}\n', ['type Cart 3-3', 'method Total 5-7', 'function add 9-9']],
    ['a.rs', 'struct Cart;\nimpl Cart {\n    fn total(&self) {}\n}\n', ['class Cart 1-1', 'class Cart 2-4', 'function Cart.total 3-3']],
    ['a.rb', 'module Shop\n  class Cart\n    def total\n    end\n  end\nend\n', ['module Shop 1-6', 'class Shop.Cart 2-5', 'method Shop.Cart.total 3-4']],
    ['a.php', '<?php\nclass Cart {\n  function total() {}\n}\n', ['class Cart 2-4', 'method Cart.total 3-3']],
    ['A.cs', 'namespace Shop {\n  class Cart {\n    int Total() { return 1; }\n  }\n}\n', ['class Cart 2-4', 'method Cart.Total 3-3']],
    ['a.cpp', 'class Cart {\n};\nint Cart::total(int a) {\n  return a;\n}\nstruct Later;\n', ['class Cart 1-2', 'function Cart::total 3-5']],
    ['A.kt', 'class Cart {\n    fun total(): Int {\n        return 1\n    }\n}\n', ['class Cart 1-5', 'function Cart.total 2-4']],
    ['A.swift', 'struct Cart {\n  func total() -> Int {\n    return 1\n  }\n}\n', ['class Cart 1-5', 'function Cart.total 2-4']],
  ])('of %s', async (file, text, symbols) => expect(await outline(file, text)).toEqual(symbols));

  it('are rough where there is no grammar folder, and never fail', async () => {
    expect(await outline('a.py', 'class Cart:\n    def total(self):\n        return 1\n', new Outliner())).toEqual(['class Cart 1-3', 'function Cart.total 2-3']);
    expect(await outline('a.py', 'class Cart:\n    pass\n', new Outliner('/nowhere'))).toEqual(['class Cart 1-2']);
    expect(await outline('a.ts', '((((((((')).toEqual([]);
    expect(await outline('a.ts', '{'.repeat(50_000))).toEqual([]);
  });
});
