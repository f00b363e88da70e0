import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { sql } from './sql'
import { temporaryEngine, type TemporaryEngine } from './internal/temporary'

let host: TemporaryEngine
beforeAll(async () => {
  host = await temporaryEngine({ cores: 2, memoryBytes: 1024 ** 3 })
  await host.engine.ready()
})
afterAll(() => host.remove())

const slow = 'select count() from numbers(100000000000) where cityHash64(number) = 1'

const runningStatements = () =>
  host.engine.query(
    sql`select query from system.processes where query like '%cityHash64(number) = 1%' and query not like '%processes%'`,
    { lane: 'ingest' },
  )

/** Starts so many slow statements of a project, until they are stopped. */
function slowStatementsOf(projectId: number, count: number) {
  const enough = new AbortController()
  const ended: number[] = []
  const statements = Array.from({ length: count }, async () => {
    const statement = { text: slow, projectId, hasMerged: false }
    await host.engine.runUserQuery(statement, { signal: enough.signal }).catch(() => {})
    ended.push(projectId)
  })
  const stop = async () => {
    enough.abort()
    await Promise.all(statements)
  }
  return { ended, stop }
}

const quickStatement = (projectId: number) =>
  host.engine.runUserQuery({ text: 'select 1', projectId, hasMerged: false })
const quickQuery = (projectId: number) => host.engine.query(sql`select 1 as one`, { projectId })

test('slow statements of one project, on two cores, do not make the others wait', async () => {
  const first = slowStatementsOf(1, 5)
  await vi.waitFor(async () => expect(await runningStatements()).toHaveLength(1), { timeout: patienceMs })
  expect((await quickStatement(2)).rows).toEqual([[1]])
  expect(await quickQuery(2)).toEqual([{ one: 1 }])
  expect(await quickQuery(1)).toEqual([{ one: 1 }])
  expect(first.ended).toEqual([])

  const second = slowStatementsOf(2, 5)
  await vi.waitFor(async () => expect(await runningStatements()).toHaveLength(2), { timeout: patienceMs })
  for (const projectId of [1, 2, 3]) expect(await quickQuery(projectId)).toEqual([{ one: 1 }])
  expect([...first.ended, ...second.ended]).toEqual([])
  await Promise.all([first.stop(), second.stop()])
})
