import { describe, expect, test } from 'vitest'
import { eventNumber, noon } from '#test/deep/crashlab/events'
import { LosingDisk } from '#test/deep/crashlab/losing-disk'
import { type JournalDamageReport, Journal } from './journal'
import { parseJournalLine } from './journal-lines'
import { recordedMissingSegments, type MissingSegment } from './journal-segment-list'
import {
  numberRecord,
  recordAt,
  recordHeaderBytes,
  segmentHeader,
  segmentHeaderBytes,
} from './journal-records'

const folder = '/data/journal'
const amount = 12

interface Extent {
  start: number
  end: number
}

/** A segment with twelve events, one a record, and where each of them is. */
async function aSegment() {
  const disk = new LosingDisk()
  const journal = await openOn(disk)
  for (let n = 0; n < amount; n++) await journal.append([eventNumber(n)])
  const path = disk.paths().find((name) => name.endsWith('.journal')) ?? ''
  const bytes = disk.content(path)
  return { disk, path, bytes, records: extentsIn(bytes) }
}

function extentsIn(bytes: Buffer): Extent[] {
  const extents: Extent[] = []
  for (let start = segmentHeaderBytes; start < bytes.length;) {
    const end = recordAt(bytes, start)?.end ?? bytes.length
    extents.push({ start, end })
    start = end
  }
  return extents
}

function openOn(disk: LosingDisk, onDamage?: (damage: JournalDamageReport) => void): Promise<Journal> {
  return Journal.open({ folder, files: disk.files(), now: () => new Date(noon), onDamage })
}

/** Opens the journal as the next start does; returns the numbers of its events, and the damage that it reports. */
async function nextStart(disk: LosingDisk) {
  const damages: JournalDamageReport[] = []
  const journal = await openOn(disk, (damage) => damages.push(damage))
  const found: number[] = []
  for (let records = await journal.read(1000); records.length > 0; records = await journal.read(1000)) {
    for (const { text } of records)
      found.push(...text.split('\n').map((line) => Number(parseJournalLine(line).properties['n'])))
  }
  return { found, damages, journal }
}

const numbersTo = (end: number) => Array.from({ length: end }, (_, n) => n)
const allBut = (...missing: number[]) => numbersTo(amount).filter((n) => !missing.includes(n))

/** Expects that the bytes reported as damaged are the ones put aside, byte for byte. */
async function expectKeptAside(disk: LosingDisk, bytes: Buffer, damages: readonly JournalDamageReport[]) {
  for (const { at, bytes: length, keptAs } of damages) {
    const kept = keptAs === undefined ? Buffer.alloc(0) : disk.content(keptAs)
    expect(kept).toEqual(bytes.subarray(at, at + length))
  }
}

test('C7: cut off at any byte, every whole record before it is kept and the torn one put aside', async () => {
  const { disk, path, bytes, records } = await aSegment()
  for (let length = bytes.length - 1; length >= Math.max(segmentHeaderBytes, bytes.length - 4096); length--) {
    disk.damage(path, () => bytes.subarray(0, length))
    const whole = records.filter(({ end }) => end <= length).length
    const torn = length - (records[whole]?.start ?? length)

    const { found, damages } = await nextStart(disk)

    expect(found).toEqual(numbersTo(whole))
    expect(damages).toMatchObject(torn === 0 ? [] : [{ bytes: torn, at: length - torn, isUnfinished: true }])
    await expectKeptAside(disk, bytes, damages)
  }
})

test('C7: with any bit of a record flipped, that record alone is put aside and counted', async () => {
  const { disk, path, bytes, records } = await aSegment()
  const { start = 0, end = 0 } = records[5] ?? {}
  for (let bit = start * 8; bit < end * 8; bit++) {
    const flipped = flip(bytes, bit)
    disk.damage(path, () => flipped)

    const { found, damages } = await nextStart(disk)

    expect(found).toEqual(allBut(5))
    expect(damages).toMatchObject([{ at: start, bytes: end - start, records: 1, isUnfinished: false }])
    await expectKeptAside(disk, flipped, damages)
  }
})

test('C7: with any bit of the header flipped, every record is still found', async () => {
  const { disk, path, bytes } = await aSegment()
  for (let bit = 0; bit < segmentHeaderBytes * 8; bit++) {
    disk.damage(path, () => flip(bytes, bit))
    const { found, damages } = await nextStart(disk)
    expect(found).toEqual(allBut())
    expect(damages).toMatchObject([{ at: 0, bytes: segmentHeaderBytes, records: 0 }])
  }
})

function flip(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes)
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return flipped
}

describe('C7: whatever else happened to the file', () => {
  test.each<[string, (bytes: Buffer, records: Extent[]) => Buffer, number[], object[]]>([
    [
      'a page of zeros in the middle',
      (bytes) => Buffer.concat([bytes.subarray(0, 1024), Buffer.alloc(512), bytes.subarray(1536)]),
      allBut(3, 4, 5),
      [{ records: 3, isUnfinished: false }],
    ],
    [
      'zeros to the end, as a power cut leaves them',
      (bytes, records) => Buffer.concat([bytes.subarray(0, records[8]?.start), Buffer.alloc(4096)]),
      numbersTo(8),
      [{ bytes: 4096, records: undefined }],
    ],
    [
      'the last record twice',
      (bytes, records) => Buffer.concat([bytes, part(bytes, records, 11)]),
      allBut(),
      [{ records: undefined, isUnfinished: false }],
    ],
    [
      'a record in the middle twice',
      (bytes, records) =>
        Buffer.concat([
          bytes.subarray(0, records[4]?.end),
          part(bytes, records, 4),
          bytes.subarray(records[4]?.end),
        ]),
      allBut(),
      [{ records: 0, isUnfinished: false }],
    ],
    [
      'two records in each other’s place',
      (bytes, records) =>
        Buffer.concat([
          bytes.subarray(0, records[3]?.start),
          part(bytes, records, 4),
          part(bytes, records, 3),
          bytes.subarray(records[4]?.end),
        ]),
      allBut(3),
      [
        { bytes: 0, records: 1 },
        { records: 0, isUnfinished: false },
      ],
    ],
    [
      'a record of another segment at the end',
      (bytes, records) => {
        const foreign = Buffer.from(part(bytes, records, 0))
        numberRecord(foreign, 77)
        return Buffer.concat([bytes, foreign])
      },
      allBut(),
      [{ records: undefined }],
    ],
    ['nothing in it', () => Buffer.alloc(0), [], []],
    [
      'another magic',
      (bytes) => Buffer.concat([Buffer.from('PK\u0003\u0004\0\0\0\0'), bytes.subarray(8)]),
      allBut(),
      [{ at: 0, bytes: segmentHeaderBytes, records: 0 }],
    ],
    [
      'another file altogether',
      () => Buffer.from('<html>'.repeat(1000)),
      [],
      [{ bytes: segmentHeaderBytes }, { bytes: 6000 - segmentHeaderBytes, records: undefined }],
    ],
    ['half a header', (bytes) => bytes.subarray(0, 11), [], [{ bytes: 11, isUnfinished: true }]],
    ['a header alone', (bytes) => bytes.subarray(0, segmentHeaderBytes), [], []],
  ])('%s', async (_, damage, expected, reported) => {
    const { disk, path, bytes, records } = await aSegment()
    const damaged = damage(bytes, records)
    disk.damage(path, () => damaged)

    const { found, damages, journal } = await nextStart(disk)

    expect(found).toEqual(expected)
    expect(damages).toMatchObject(reported)
    await expectKeptAside(disk, damaged, damages)
    expect(await journal.append([eventNumber(99)])).toBe('written')
    expect((await nextStart(disk)).found).toEqual([...expected, 99])
  })

  function part(bytes: Buffer, records: readonly Extent[], index: number): Buffer {
    return bytes.subarray(records[index]?.start, records[index]?.end)
  }
})

test('C7: damage found again after a crash is put aside once, and what was put aside stays when the segment goes', async () => {
  const { disk, path, bytes, records } = await aSegment()
  disk.damage(path, () => flip(bytes, ((records[5]?.start ?? 0) + 20) * 8))
  await nextStart(disk)
  disk.cutPower()
  const { journal, damages } = await nextStart(disk)
  await journal.checkpoint(noon * 1000 + 1_000_000)

  const kept = disk.paths().filter((name) => name.includes('/damaged/'))
  expect(kept).toEqual([damages[0]?.keptAs])
  expect(disk.paths()).not.toContain(path)
})

test('C7: a segment of a newer version is left alone, and the start refused with what to do', async () => {
  const { disk, path, bytes } = await aSegment()
  const first = Number(bytes.readBigUInt64LE(16))
  const newer = Buffer.concat([segmentHeader({ first, follows: 0 }, 2), bytes.subarray(segmentHeaderBytes)])
  disk.damage(path, () => newer)

  await expect(openOn(disk)).rejects.toThrow(
    /written by a newer Tilth \(form 2 of the journal\).*Start the newer version/,
  )
  expect(disk.content(path)).toEqual(newer)
})

test('no event can pose as a record, whatever is in it', async () => {
  const disk = new LosingDisk()
  const journal = await openOn(disk)
  const forged = Buffer.alloc(recordHeaderBytes + 3, 'abc')
  forged.writeUInt32LE(3, 0)
  numberRecord(forged, noon * 1000 + 2)
  const text = forged.toString('latin1')
  await journal.append([eventNumber(0, { properties: { n: '0', text } })])
  await journal.append([eventNumber(1, { properties: { n: '1', text } })])
  const path = disk.paths().find((name) => name.endsWith('.journal')) ?? ''
  disk.damage(path, (bytes) => flip(bytes, (segmentHeaderBytes + 20) * 8))

  expect((await nextStart(disk)).found).toEqual([1])
})

describe('a segment that is gone at the next start', () => {
  const written = async (disk: LosingDisk) => {
    const journal = await Journal.open({
      folder,
      files: disk.files(),
      now: () => new Date(noon),
      limits: { segmentBytes: 500 },
    })
    for (let n = 0; n < amount; n++) await journal.append([eventNumber(n)])
    const paths = disk.paths().filter((path) => path.endsWith('.journal'))
    return { journal, paths, firsts: paths.map((path) => Number(path.slice(-24, -8))) }
  }

  const startAfter = async (disk: LosingDisk) => {
    const gone: MissingSegment[] = []
    const now = () => new Date(noon)
    await Journal.open({
      folder,
      files: disk.files(),
      now,
      onMissingSegments: (segments) => gone.push(...segments),
    })
    return { gone, noted: await recordedMissingSegments(disk.files(), folder) }
  }

  test('is reported with its range, once, and noted until the operator deletes the note', async () => {
    const disk = new LosingDisk()
    const { paths, firsts } = await written(disk)
    const [, second = 0, third = 0] = firsts
    const newest = firsts.at(-1) ?? 0
    for (const path of [paths[1], paths.at(-1)]) await disk.files().remove(path ?? '')
    const expected = [
      { first: second, last: third - 1 },
      { first: newest, last: undefined },
    ]

    expect(await startAfter(disk)).toEqual({ gone: expected, noted: expected })
    expect(await startAfter(disk)).toEqual({ gone: [], noted: expected })
  })

  test('is not missed where all of it was stored, nor in a journal of a version without a list', async () => {
    const disk = new LosingDisk()
    const { journal, paths, firsts } = await written(disk)
    const [, second = 0] = firsts
    await journal.checkpoint(second - 1)
    disk.damage(`${folder}/segments.json`, () => Buffer.from(JSON.stringify(firsts)))
    expect(await startAfter(disk)).toEqual({ gone: [], noted: [] })

    await disk.files().remove(`${folder}/segments.json`)
    await disk.files().remove(paths[3] ?? '')
    expect(await startAfter(disk)).toEqual({ gone: [], noted: [] })
  })
})
