"""The random draws of an analysis: which source sentences a resample holds, what a permutation exchanges.

A name and the recorded seed make the seed of a stream: FNV-1a over the seed's eight bytes (little-endian) and the name,
then SplitMix64's finaliser. That seed becomes a ChaCha8 key by PCG32 (rand_core 0.9, `seed_from_u64`), and the number of the
resample is ChaCha's stream: 64-bit block counter in words 12 and 13, stream in 14 and 15 (rand_chacha 0.9).
Integers below n are the upper half of word × n, with one more word for a correction in n of 2^32 cases (Canon's method;
rand 0.9, `random_range`). A coin is the highest bit of a word. Shuffles are Fisher and Yates's, forwards, with several
indices from one integer (rand 0.9, `SliceRandom::shuffle`).
"""

import itertools

import numpy as np

BITS32, BITS64 = 2**32 - 1, 2**64 - 1


def stream_seed(seed, name):
    mixed = 0xCBF29CE484222325
    for byte in seed.to_bytes(8, "little") + name.encode():
        mixed = (mixed ^ byte) * 0x100000001B3 & BITS64
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & BITS64
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & BITS64
    return mixed ^ mixed >> 31


def key(state):
    words = []
    for _ in range(8):
        state = (state * 6364136223846793005 + 11634580027462260723) & BITS64
        shifted, turn = ((state >> 18 ^ state) >> 27) & BITS32, state >> 59
        words.append((shifted >> turn | shifted << (32 - turn)) & BITS32)
    return words


def keystream(seed, streams, count, block=0):
    """`count` words of each of these streams from a block of 16 words on: an array [streams, count]."""
    streams = np.asarray(streams, dtype=np.uint64)[:, None]
    blocks = np.arange(block, block - (-count // 16), dtype=np.uint64)[None, :]
    shape = np.broadcast_shapes(streams.shape, blocks.shape)
    constants = np.frombuffer(b"expand 32-byte k", dtype="<u4")
    start = [np.full(shape, word, dtype=np.uint32) for word in [*constants, *key(seed)]]
    for number in (blocks, streams):
        halves = (number & np.uint64(BITS32), number >> np.uint64(32))
        start += [np.broadcast_to(half.astype(np.uint32), shape) for half in halves]
    x = [word.copy() for word in start]

    def turned(word, by):
        return word << np.uint32(by) | word >> np.uint32(32 - by)

    def quarter(a, b, c, d):
        for by, (p, q, r) in zip((16, 12, 8, 7), ((a, b, d), (c, d, b)) * 2):
            x[p] = x[p] + x[q]
            x[r] = turned(x[r] ^ x[p], by)

    for _ in range(4):
        for column in range(4):
            quarter(*(column + 4 * row for row in range(4)))
        for diagonal in range(4):
            quarter(*((diagonal + row) % 4 + 4 * row for row in range(4)))
    words = np.stack([a + b for a, b in zip(x, start)], axis=-1)
    return words.reshape(shape[0], -1)[:, :count]


def below(n, word):
    """An integer below n, its words taken with `word()`."""
    high, low = divmod(word() * n, 2**32)
    return high + (low > 2**32 - n and low + (word() * n >> 32) > BITS32)


def integers(seed, streams, n, count):
    """`count` integers below n from the beginning of each stream."""
    words = keystream(seed, streams, count).astype(np.uint64)
    found = (words * np.uint64(n) >> np.uint64(32)).astype(np.int64)
    rare = ((words * np.uint64(n) & np.uint64(BITS32)) > np.uint64(2**32 - n)).any(axis=1)
    for row in np.flatnonzero(rare):
        rest = iter(keystream(seed, [streams[row]], 2 * count)[0].tolist())
        found[row] = [below(n, lambda: next(rest)) for _ in range(count)]
    return found


def weights(seed, stereotype, n, resamples):
    """How often each of n sources was drawn, n − 1 at a time: an array [resamples, n]."""
    drawn = integers(stream_seed(seed, f"bootstrap/stereotype-{stereotype}"), range(resamples), n, n - 1)
    return (drawn[:, :, None] == np.arange(n)).sum(axis=1)


def flips(seed, stereotype, n, permutations):
    """Whether each of n sources is exchanged: an array [permutations, n]."""
    words = keystream(stream_seed(seed, f"exchange/stereotype-{stereotype}"), range(permutations), n)
    return words >> np.uint32(31) == 1


def endless(seed):
    """The words of stream 0, one after the other."""
    for block in itertools.count(step=4096):
        yield from keystream(seed, [0], 16 * 4096, block)[0].tolist()


def shuffle(row, word):
    """Shuffles in place."""
    chunk = left = 0
    for place in range(1, len(row)):
        if left == 0:
            bound, left = place + 1, 1
            while bound * (place + 1 + left) <= BITS32:
                bound *= place + 1 + left
                left += 1
            chunk = below(bound, word)
        # The last index of a chunk is what is left of it.
        chunk, other = divmod(chunk, place + 1) if left > 1 else (0, chunk)
        left -= 1
        row[place], row[other] = row[other], row[place]
