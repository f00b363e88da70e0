import { describe, expect, test } from 'vitest'
import { eventNumber, eventNumbers, noon, plain } from '#test/deep/crashlab/events'
import { LosingDisk } from '#test/deep/crashlab/losing-disk'
import type { PreparedEvent } from '#events/event'
import { Journal, type JournalSettings } from './journal'
import type { JournalFileSystem } from './journal-files'
import { parseJournalLine } from './journal-lines'

const folder = '/data/journal'

function openOn(disk: LosingDisk, settings: Partial<JournalSettings> = {}): Promise<Journal> {
  return Journal.open({ folder, files: disk.files(), now: () => new Date(noon), ...settings })
}

async function readAll(journal: Journal): Promise<PreparedEvent[]> {
  const events: PreparedEvent[] = []
  for (;;) {
    const records = await journal.read(1000)
    if (records.length === 0) return events
    events.push(
      ...records.flatMap(({ text }) => text.split('\n').map((line) => plain(parseJournalLine(line)))),
    )
  }
}

const segmentsOn = (disk: LosingDisk) => disk.paths().filter((path) => path.endsWith('.journal'))

describe('what was written', () => {
  test('is read as it was, in order, by the same start and by the next one', async () => {
    const disk = new LosingDisk()
    const journal = await openOn(disk)
    const everything = eventNumber(1, {
      name: 'tab\there, line\nbreak, "quote" and 😀',
      identity: { kind: 'identify', anonymous: 'before' },
      person: {
        set: { email: 'ana@acme.example' },
        setOnce: { first: 1 },
        unset: ['old'],
        add: { visits: 1 },
      },
      group: { type: 'company', key: 'acme', set: { size: 3 } },
      groups: { company: 'acme' },
      properties: JSON.parse('{"__proto__":"own","a":"b"}'),
      sessionId: '01a1fc88-2d2a-700f-b7c1-203a7a4d0950',
      isCookieless: true,
      hasPerson: false,
    })

    expect(await journal.append([everything, ...eventNumbers(2, 50)])).toBe('written')
    expect(await journal.append(eventNumbers(100, 3))).toBe('written')

    const written = [everything, ...eventNumbers(2, 50), ...eventNumbers(100, 3)]
    expect(await readAll(journal)).toEqual(written)
    expect(await readAll(await openOn(disk))).toEqual(written)
  })

  test('is read on a full disk, where nothing is taken until there is room', async () => {
    const disk = new LosingDisk()
    const settings = { limits: { segmentBytes: 500 } }
    const journal = await openOn(disk, settings)
    for (let n = 0; n < 20; n++) await journal.append([eventNumber(n)])
    await journal.close()

    let isFull = true
    const files: JournalFileSystem = {
      ...disk.files(),
      create: (path) =>
        isFull ? Promise.reject(new Error('ENOSPC: no space left')) : disk.files().create(path),
    }
    const troubles: unknown[] = []
    const onTrouble = (problem: unknown) => troubles.push(problem)
    const again = await openOn(disk, { ...settings, files, onTrouble })
    expect(String(troubles[0])).toContain('ENOSPC')
    expect(await readAll(again)).toEqual(eventNumbers(0, 20))
    expect(await again.append([eventNumber(20)])).toMatchObject({ retryAfterSeconds: expect.any(Number) })
    isFull = false
    await expect.poll(() => again.append([eventNumber(20)])).toBe('written')
    expect(await readAll(await openOn(disk))).toEqual(eventNumbers(0, 21))
  })

  test('is not read again once it is stored, and its files go', async () => {
    const disk = new LosingDisk()
    const journal = await openOn(disk, { limits: { segmentBytes: 500 } })
    for (let n = 0; n < 20; n++) await journal.append([eventNumber(n)])
    const before = segmentsOn(disk).length
    let tenth = 0
    for (let n = 0; n < 10; n++) tenth = (await journal.read(1))[0]?.sequence ?? 0

    await journal.checkpoint(tenth)

    expect(before).toBeGreaterThan(4)
    expect(segmentsOn(disk).length).toBeLessThan(before)
    expect(await readAll(await openOn(disk))).toEqual(eventNumbers(10, 10))
  })

  test('survives the loss of the note about how much is stored', async () => {
    const disk = new LosingDisk()
    const journal = await openOn(disk)
    await journal.append(eventNumbers(0, 3))
    const [record] = await journal.read(Infinity)
    await journal.checkpoint(record?.sequence ?? 0)
    disk.damage(`${folder}/checkpoint`, () => Buffer.from('{"sto'))

    expect(await readAll(await openOn(disk))).toEqual(eventNumbers(0, 3))
  })

  test('is one write and one sync for everything that came while the disk was busy', async () => {
    const disk = new LosingDisk()
    const journal = await openOn(disk)
    // a new file is synced with the list of files
    await journal.append([eventNumber(1000)])
    const before = disk.syncCount
    const outcomes = await Promise.all(eventNumbers(0, 500).map((event) => journal.append([event])))

    expect(new Set(outcomes)).toEqual(new Set(['written']))
    expect(disk.syncCount - before).toBe(1)
    expect(journal.eventsWritten).toBe(501)
  })

  test('may be more than fits one record', async () => {
    const disk = new LosingDisk()
    const journal = await openOn(disk)
    const large = eventNumbers(0, 9).map((event) => ({ ...event, properties: { x: 'x'.repeat(400_000) } }))
    await journal.append(large)

    expect((await journal.read(Infinity)).length).toBeGreaterThan(2)
    expect(await readAll(await openOn(disk))).toEqual(large)
  })

  test('leaves no file behind once it is stored, also one that was being written when an earlier start ended', async () => {
    const disk = new LosingDisk()
    const journal = await openOn(disk)
    await journal.append(eventNumbers(0, 3))
    const [record] = await journal.read(Infinity)
    await journal.checkpoint(record?.sequence ?? 0)
    await journal.close()

    const again = await openOn(disk)
    expect(segmentsOn(disk)).toHaveLength(1)
    expect(await again.read(Infinity)).toEqual([])
    expect(segmentsOn(disk)).toEqual([])
    expect(await again.append([eventNumber(4)])).toBe('written')
    expect(await readAll(again)).toEqual([eventNumber(4)])
  })

  test('is never added to a file of an earlier start', async () => {
    const disk = new LosingDisk()
    await (await openOn(disk)).append([eventNumber(1)])
    await (await openOn(disk)).append([eventNumber(2)])

    expect(segmentsOn(disk)).toHaveLength(2)
    expect(await readAll(await openOn(disk))).toEqual(eventNumbers(1, 2))
  })
})

test('numbers grow from start to start, also when the clock goes back and when nothing is left of the records', async () => {
  const disk = new LosingDisk()
  const firsts: number[] = []
  for (const clock of [noon, noon - 86_400_000, 0, noon + 1]) {
    const journal = await openOn(disk, { now: () => new Date(clock) })
    firsts.push(journal.firstOfThisStart)
    await journal.append(eventNumbers(0, 100))
    await journal.append(eventNumbers(0, 100))
    const last = (await journal.read(Infinity)).at(-1)?.sequence ?? 0
    await journal.checkpoint(last)
    await journal.close()
  }
  expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
  expect(new Set(firsts).size).toBe(4)
})

test('a journal keeps its name, and a new folder is another journal', async () => {
  const disk = new LosingDisk()
  const { id } = await openOn(disk)
  expect((await openOn(disk)).id).toBe(id)
  expect((await openOn(disk, { folder: '/data/another' })).id).not.toBe(id)
})

describe('when it cannot take more', () => {
  test('what would wait is refused, and what waits already is written', async () => {
    const journal = await openOn(new LosingDisk(), { limits: { queueAppends: 10 } })
    const outcomes = await Promise.all(eventNumbers(0, 15).map((event) => journal.append([event])))
    const refused = { refused: 'queue-full', retryAfterSeconds: 1 }

    expect(outcomes).toEqual([...Array(10).fill('written'), ...Array.from({ length: 5 }, () => refused)])
    expect(await readAll(journal)).toEqual(eventNumbers(0, 10))
    expect(await journal.append([eventNumber(20)])).toBe('written')
  })

  test('few but large ones fill it as well', async () => {
    const journal = await openOn(new LosingDisk(), { limits: { queueBytes: 1000 } })
    const large = eventNumber(1, { properties: { x: 'x'.repeat(2000) } })
    const outcomes = await Promise.all([journal.append([large]), journal.append([eventNumber(2)])])

    expect(outcomes).toEqual(['written', { refused: 'queue-full', retryAfterSeconds: 1 }])
  })

  test('it refuses before the disk is full, and continues by itself when there is room again', async () => {
    let trouble: string | undefined = 'The disk has 100 MB left: free some.'
    const freeSpace = async () => ({ trouble })
    const journal = await openOn(new LosingDisk(), { measureFreeSpace: freeSpace })

    expect(await journal.append([eventNumber(1)])).toEqual({ refused: 'no-room', retryAfterSeconds: 60 })
    expect(journal.trouble).toBe('The disk has 100 MB left: free some.')

    trouble = undefined
    await expect.poll(() => journal.append([eventNumber(1)])).toBe('written')
    expect(journal.trouble).toBeUndefined()
  })

  test('it notices by itself that there is room again, without any append', async () => {
    let trouble: string | undefined = 'The disk has 100 MB left: free some.'
    const freeSpace = async () => ({ trouble })
    const journal = await openOn(new LosingDisk(), { measureFreeSpace: freeSpace, limits: { recheckMs: 10 } })
    expect(journal.trouble).toBe('The disk has 100 MB left: free some.')

    trouble = undefined
    await expect.poll(() => journal.trouble).toBeUndefined()
  })

  test('a closed one has written what was appended before, and refuses what comes after', async () => {
    const disk = new LosingDisk()
    const journal = await openOn(disk)
    const before = journal.append([eventNumber(1)])
    const closing = journal.close()
    const after = journal.append([eventNumber(2)])

    expect(await before).toBe('written')
    expect(await after).toEqual({ refused: 'closed', retryAfterSeconds: 5 })
    await closing
    expect(await readAll(await openOn(disk))).toEqual([eventNumber(1)])
  })
})

describe('when the disk fails', () => {
  const diskTrouble = { refused: 'disk-trouble', retryAfterSeconds: 5 }

  test.each([
    ['sync', 'EIO'],
    ['write', 'ENOSPC'],
    ['write', 'EIO'],
    ['create', 'ENOSPC'],
    ['syncFolder', 'EIO'],
  ] as const)(
    'a failed %s (%s) refuses those it concerns, and the next ones go into a new file',
    async (on, code) => {
      const disk = new LosingDisk()
      const journal = await openOn(disk, {
        limits: { segmentBytes: on === 'write' || on === 'sync' ? 1e6 : 1 },
      })
      expect(await journal.append([eventNumber(1)])).toBe('written')
      disk.failOn({ on, from: 1, times: 1, code })

      const failed = await Promise.all([journal.append([eventNumber(2)]), journal.append([eventNumber(3)])])
      expect(failed).toEqual([diskTrouble, diskTrouble])
      expect(journal.trouble).toContain(code)

      expect(await journal.append([eventNumber(2)])).toBe('written')
      expect(journal.trouble).toBeUndefined()
      expect(segmentsOn(disk)).toHaveLength(2)
      expect(await readAll(journal)).toEqual([eventNumber(1), eventNumber(2)])
      disk.cutPower()
      const afterwards = await readAll(await openOn(disk))
      expect(afterwards).toEqual(expect.arrayContaining([eventNumber(1), eventNumber(2)]))
    },
  )

  test.each([
    ['sync', 'EIO'],
    ['write', 'ENOSPC'],
    ['create', 'ENOSPC'],
  ] as const)('a failed %s (%s) is over once the disk works again, without any append', async (on, code) => {
    const disk = new LosingDisk()
    const journal = await openOn(disk, { limits: { recheckMs: 10 } })
    disk.failOn({ on, from: 1, times: 3, code })
    expect(await journal.append([eventNumber(1)])).toEqual(diskTrouble)
    expect(journal.trouble).toContain(code)

    await expect.poll(() => journal.trouble).toBeUndefined()
    expect(disk.paths().filter((path) => path.endsWith('disk-check'))).toEqual([])
    expect(await journal.append([eventNumber(1)])).toBe('written')
    expect(await readAll(journal)).toEqual([eventNumber(1)])
  })

  test('a disk that never syncs again takes nothing more, and loses nothing that was written', async () => {
    const disk = new LosingDisk()
    const journal = await openOn(disk)
    await journal.append([eventNumber(1)])
    disk.failOn({ on: 'sync', from: 1, times: Infinity, code: 'EIO' })
    for (let n = 2; n < 20; n++) expect(await journal.append([eventNumber(n)])).toEqual(diskTrouble)
    disk.cutPower()
    disk.heal()

    const found = await readAll(await openOn(disk))
    expect(found).toContainEqual(eventNumber(1))
  })
})
