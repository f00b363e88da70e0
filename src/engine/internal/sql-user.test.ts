import { expect, test } from 'vitest'
import { openEngine } from '../open'
import { parseEngineUrl } from '../address'
import { EngineClient } from '../client'
import { userStatements } from './sql-user'
import { sql } from '../sql'
import { temporaryServer } from './temporary'

const messages: string[] = []
const log = {
  info: () => {},
  warn: (_: unknown, sentence: string) => void messages.push(sentence),
  error: () => {},
}

test('a server whose account may make no users says which wall is missing, and how to have it', async () => {
  const server = await temporaryServer()
  const engine = openEngine({ form: 'remote', url: server.url, log })
  await engine.ready()

  const { warning = '', status } = engine.health()
  expect(status).toBe('ready')
  expect(warning).toContain('by the guard alone')
  expect(warning).toContain('CREATE USER ON tilth_rows')
  expect(warning).toContain('GRANT CREATE USER, ALTER USER ON tilth_asker')
  expect(messages).toContain(warning)
  expect(engine.address()?.sqlUser).toBeUndefined()
  await engine.close()

  // This engine keeps no users, so they cannot be made here. Its parser and its checks of rights come before that.
  const client = new EngineClient({ address: parseEngineUrl(server.url), queriesAtOnce: 1 })
  for (const statement of userStatements(parseEngineUrl(server.url))) {
    const outcome = await client.command(statement).then(
      () => 'done',
      (problem: { message: string; code?: string }) => problem.code ?? problem.message,
    )
    expect(['done', '497', '514']).toContain(outcome)
  }
  await client.close()
  await server.remove()
})

test('a server where the user exists runs what people write as that user, and the pages learn of it', async () => {
  const server = await temporaryServer(undefined, { hasSqlUser: true })
  const engine = openEngine({ form: 'remote', url: server.url, log })
  await engine.ready()

  expect(engine.health().warning).toBeUndefined()
  expect(engine.address()?.sqlUser?.username).toBe('tilth_asker')
  const { rows } = await engine.runUserQuery({ text: 'select currentUser()', projectId: 1, hasMerged: false })
  expect(rows).toEqual([['tilth_asker']])
  expect(await engine.query(sql`select currentUser() as user`)).toEqual([{ user: 'tilth_owner' }])
  await engine.close()
  await server.remove()
})
