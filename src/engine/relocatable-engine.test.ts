import { expect, onTestFinished, test } from 'vitest'
import { startTestFront } from '#test/product/test-pages'
import { sql } from './sql'
import { RelocatableEngine } from './relocatable-engine'

const quiet = { info() {}, warn() {}, error() {} }

function anEngineToFollow() {
  const engine = new RelocatableEngine(quiet)
  onTestFinished(() => engine.close())
  return engine
}

/** Answers every query with its own name, to those who know the password. */
const aServerNamed = (name: string, password: string) =>
  startTestFront((request, response) => {
    const isKnown = request.headers.authorization === `Basic ${btoa(`tilth:${password}`)}`
    request.resume()
    response.statusCode = isKnown ? 200 : 401
    response.end(`{"name":"${name}","version":"26.1"}\n`)
  })

test('nothing can be asked before the front has said where the engine is', async () => {
  const engine = anEngineToFollow()

  expect(engine.health().status).toBe('starting')
  await expect(engine.query(sql`select 1`)).rejects.toMatchObject({ failure: 'unavailable' })
})

test('queries go where the engine was last said to be, under the password it has there', async () => {
  const engine = anEngineToFollow()
  const here = { username: 'tilth', password: 'a:b@c/d', database: 'tilth' }

  engine.moveTo({ ...here, url: await aServerNamed('first', here.password) })
  await engine.ready()
  const before = await engine.query(sql`select name`)
  engine.moveTo({ ...here, url: await aServerNamed('second', 'new'), password: 'new' })
  await engine.ready()
  const after = await engine.query(sql`select name`)

  expect([before, after]).toMatchObject([[{ name: 'first' }], [{ name: 'second' }]])
})

test('a caller waiting for an engine that moves waits for its new address', async () => {
  const engine = anEngineToFollow()
  const ready = engine.ready()

  engine.moveTo({ url: 'http://127.0.0.1:9', username: 'tilth', password: 'old', database: 'tilth' })
  engine.moveTo({
    url: await aServerNamed('second', 'new'),
    username: 'tilth',
    password: 'new',
    database: 'tilth',
  })

  await ready
  expect(engine.health().status).toBe('ready')
})
