import { expect, test } from 'vitest'
import { BrokenParts } from './broken-parts'
import { render } from './sql'

/** A server whose table is replicated and has one damaged part, until the server has fetched it anew. */
function aReplica({ errors = [1] }: { errors?: number[] } = {}) {
  const commands: string[] = []
  let isDamaged = true
  /** The last count stays. */
  const count = () => (errors.length > 1 ? errors.shift() : errors[0])
  const part = { table: 'events', name: '202603_1_1_0', partition: '202603', rows: 500, first: 1, last: 1 }
  const query = async <Row>(statement: Parameters<typeof render>[0]): Promise<Row[]> => {
    const { text } = render(statement)
    const rows: object[] = text.includes('system.errors')
      ? [{ errors: count() }]
      : text.includes('system.parts')
        ? [{ ...part, level: 0, isReplicated: 1 }]
        : text.includes('check table')
          ? [{ part_path: part.name, is_passed: isDamaged ? 0 : 1 }]
          : []
    return rows as Row[] // each query is answered with rows of its own type
  }
  const client = {
    query,
    command: async (statement: Parameters<typeof render>[0]) => void commands.push(render(statement).text),
  }
  return { client, commands, repair: () => void (isDamaged = false) }
}

test('a damaged part of a replicated table is not detached, but said to be under repair until it is whole', async () => {
  const { client, commands, repair } = aReplica()
  const logged: string[] = []
  const note = (_: unknown, words: string) => void logged.push(words)
  const parts = new BrokenParts({ log: { info: () => {}, warn: note, error: note } })

  await parts.check(client)
  await parts.check(client)
  expect(parts.repairing).toEqual([{ table: 'events', name: '202603_1_1_0', rows: 500 }])
  expect(parts.detached).toEqual([])
  expect(commands).toEqual([])
  expect(logged).toEqual([
    'The part 202603_1_1_0 of the table events is damaged. Nothing was detached: the server fetches it from another replica.',
  ])

  repair()
  for (let check = 0; check < 15; check++) await parts.check(client)
  expect(parts.repairing).toEqual([])
  expect(commands).toEqual([])
})

test('damage that is met while a check counts is found by the next', async () => {
  const { client } = aReplica({ errors: [0, 1] })
  const parts = new BrokenParts({ log: { info: () => {}, warn: () => {}, error: () => {} } })

  await parts.check(client)
  expect(parts.repairing).toEqual([])
  await parts.check(client)
  expect(parts.repairing).toHaveLength(1)
})
