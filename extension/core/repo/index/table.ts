/** An open-addressed table from double hashes to dense ids; no strings, so that millions of look-ups stay cheap. */
export class HashTable {
  private capacity: number;
  private slots: Int32Array;
  private hashA: Int32Array;
  private hashB: Int32Array;
  private used = 0;

  constructor(expected = 1 << 12) {
    this.capacity = 16;
    while (this.capacity < expected * 2) this.capacity *= 2;
    this.slots = new Int32Array(this.capacity).fill(-1);
    this.hashA = new Int32Array(this.capacity >> 1);
    this.hashB = new Int32Array(this.capacity >> 1);
  }

  get size(): number {
    return this.used;
  }

  /** The id of a hash pair, or -1. */
  find(a: number, b: number): number {
    const mask = this.capacity - 1;
    let slot = (a ^ (b >>> 7)) & mask;
    for (;;) {
      const id = this.slots[slot]!;
      if (id < 0) return -1;
      if (this.hashA[id] === (a | 0) && this.hashB[id] === (b | 0)) return id;
      slot = (slot + 1) & mask;
    }
  }

  /** The id of a hash pair, given out anew (as the next number) when it was not there. */
  intern(a: number, b: number): number {
    const mask = this.capacity - 1;
    let slot = (a ^ (b >>> 7)) & mask;
    for (;;) {
      const id = this.slots[slot]!;
      if (id < 0) break;
      if (this.hashA[id] === (a | 0) && this.hashB[id] === (b | 0)) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.used++;
    this.hashA[id] = a | 0;
    this.hashB[id] = b | 0;
    this.slots[slot] = id;
    if (this.used * 2 >= this.capacity) this.grow();
    return id;
  }

  /** The hashes of all ids, in id order. */
  keys(): { a: Int32Array; b: Int32Array } {
    return { a: this.hashA.subarray(0, this.used), b: this.hashB.subarray(0, this.used) };
  }

  private grow(): void {
    this.capacity *= 2;
    const mask = this.capacity - 1;
    const a = new Int32Array(this.capacity >> 1);
    const b = new Int32Array(this.capacity >> 1);
    a.set(this.hashA);
    b.set(this.hashB);
    this.hashA = a;
    this.hashB = b;
    this.slots = new Int32Array(this.capacity).fill(-1);
    for (let id = 0; id < this.used; id++) {
      let slot = (a[id]! ^ (b[id]! >>> 7)) & mask;
      while (this.slots[slot]! >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = id;
    }
  }
}

/** A growing Int32Array. */
export class Int32List {
  private data: Int32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.data = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const larger = new Int32Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = value;
  }

  at(index: number): number {
    return this.data[index]!;
  }

  /** The filled part; valid until the next push. */
  view(): Int32Array {
    return this.data.subarray(0, this.length);
  }
}
