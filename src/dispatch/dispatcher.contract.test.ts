import { describe, expect, onTestFinished, test } from 'vitest'
import { addOutgoingMessage, outgoingMessage, saveDeliveryProgress } from '#alerts/deliveries/store'
import type { OutgoingMessage } from '#alerts/deliveries/deliveries'
import { openStore } from '#store/open'
import { openTestProduct, present } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { Breakers, shownOutcome } from './breakers'
import { type DeliveryAttempt, Dispatcher } from './dispatcher'
import { type Lane, mailServer } from './lane'

const answered: DeliveryAttempt = { sent: true, outcome: 'HTTP 204.' }
const refused: DeliveryAttempt = { sent: false, isFinal: false, outcome: 'HTTP 500.', hasAnswered: true }
const unanswered: DeliveryAttempt = { sent: false, isFinal: false, outcome: 'No answer.', hasAnswered: false }
const topic = 'outgoing'

/** Messages that wait in a real store, and addresses that answer as a test says. */
async function setUpOn(url: string | undefined) {
  const { aProject, world, folder } = await openTestProduct({ ...(url && { url }) })
  const store = await openStore({ folder, url })
  onTestFinished(() => store.close())
  const projects = { acme: (await aProject()).id, other: (await aProject({ slug: 'other' })).id }
  const answers = new Map<string, DeliveryAttempt | 'none yet'>()
  const held: { address: string; end: (attempt: DeliveryAttempt) => void }[] = []
  const begun: string[] = []
  let added = 0

  const send = async ({ id, address }: OutgoingMessage): Promise<DeliveryAttempt> => {
    begun.push(id)
    const answer = answers.get(address) ?? answered
    if (answer !== 'none yet') return answer
    return await new Promise((end) => held.push({ address, end }))
  }
  const aDispatcher = (more: { send?: typeof send } = {}) =>
    new Dispatcher<OutgoingMessage>(
      {
        table: 'outgoing',
        topic,
        find: (id) => outgoingMessage(store, id),
        send: more.send ?? send,
        save: ({ id, message }, progress) => saveDeliveryProgress(store, { id, message, ...progress }),
        tidy: async () => {},
      },
      { store, world },
    )

  /** Queues messages, each named by its address and number. */
  const add = async (address: string, count: number, projectId = projects.acme) => {
    const ids = Array.from({ length: count }, () => `${address} ${++added}`)
    await store.transaction(async (transaction) => {
      for (const id of ids)
        await addOutgoingMessage(transaction, {
          id,
          projectId,
          address,
          about: 'rollouts',
          recipient: { by: 'mail', address: 'ana@acme.example' },
          message: { kind: 'test-letter', subject: '', text: '', html: '' },
          createdAt: world.now(),
          state: 'waiting',
          dueAt: world.now(),
          attempts: 0,
          outcome: undefined,
        })
      await transaction.announce(topic)
    })
    return ids
  }
  const look = async (id = '') => present(await outgoingMessage(store, id))
  const heldAt = (address: string) => held.filter((one) => one.address === address)
  const letGo = (attempt: DeliveryAttempt = answered) => {
    answers.clear()
    for (const { end } of held.splice(0)) end(attempt)
  }
  const breakers = () => Breakers.read(store)
  return { aDispatcher, world, projects, answers, begun, add, look, heldAt, letGo, breakers }
}

function dispatcherContract(emptyDatabase?: () => Promise<string>): void {
  const setUp = async () => await setUpOn(await emptyDatabase?.())

  describe('turns', () => {
    test('an address that does not answer holds up no other project, no other address and no mail', async () => {
      const { aDispatcher, projects, answers, begun, add, heldAt, letGo } = await setUp()
      answers.set('silent.example', 'none yet')
      await add('silent.example', 120)
      const run = aDispatcher().run()
      await expect.poll(() => heldAt('silent.example').length).toBe(2)

      // while the run goes on
      const others = [
        ...(await add('quick.example', 20)),
        ...(await add('quick.example', 20, projects.other)),
        ...(await add(mailServer, 20, projects.other)),
      ]
      await expect.poll(() => begun.length).toBe(2 + others.length)
      expect(begun).toEqual(expect.arrayContaining(others))
      expect(heldAt('silent.example')).toHaveLength(2)
      letGo()
      await run
      expect(begun).toHaveLength(180)
    })

    test('are taken by projects and addresses, however many wait for one of them', async () => {
      const { aDispatcher, projects, begun, add } = await setUp()
      await add('busy.example', 100)
      const [last] = await add('quick.example', 1, projects.other)
      await aDispatcher().run()
      expect(begun.indexOf(present(last))).toBeLessThan(4)
    })

    test('a project and an address have a part of all attempts at most', async () => {
      const { aDispatcher, projects, answers, add, heldAt, letGo } = await setUp()
      const addresses = ['a.example', 'b.example', 'c.example', 'd.example']
      for (const address of addresses) {
        answers.set(address, 'none yet')
        await add(address, 10)
        await add(address, 10, projects.other)
      }
      const run = aDispatcher().run()
      await expect.poll(() => addresses.flatMap(heldAt).length).toBe(8)
      for (const address of addresses) expect(heldAt(address).length).toBeLessThanOrEqual(4)
      letGo()
      await run
    })

    test('the newest goes first, and every fourth is the oldest', async () => {
      const { aDispatcher, world, begun, add } = await setUp()
      const lastWeek = await add('slow.example', 1)
      world.advance('6 days')
      const ids = [...lastWeek]
      for (let n = 0; n < 6; n++) {
        world.advance('1 minute')
        ids.push(...(await add('slow.example', 1)))
      }
      const [one, two, three, four, five, six, seven] = ids
      await aDispatcher().run()
      expect(begun).toEqual([seven, six, five, one, four, three, two])
    })

    test('a delivery that fails in itself holds up no other, and is reported', async () => {
      const { aDispatcher, add, look } = await setUp()
      const [broken] = await add('broken.example', 1)
      const [whole] = await add('quick.example', 1)
      const send = async ({ id }: OutgoingMessage) => {
        if (id === broken) throw new Error('This is a bug.')
        return answered
      }
      await expect(aDispatcher({ send }).run()).rejects.toThrow('This is a bug.')
      expect(await look(whole)).toMatchObject({ state: 'sent' })
      expect(await look(broken)).toMatchObject({ state: 'waiting', attempts: 0 })
    })

    test('leave the process to others between any two', async () => {
      const { aDispatcher, add } = await setUp()
      await add('', 50)
      let [turns, isOver] = [0, false]
      const count = (): void => {
        turns++
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      await aDispatcher().run()
      isOver = true
      expect(turns).toBeGreaterThanOrEqual(50)
    })

    test('a front that lost its lease begins nothing more', async () => {
      const { aDispatcher, world, answers, begun, add, heldAt, letGo } = await setUp()
      answers.set('silent.example', 'none yet')
      await add('silent.example', 10)
      const run = aDispatcher().run({ extend: async () => false })
      await expect.poll(() => heldAt('silent.example').length).toBe(2)
      world.advance('6 minutes')
      letGo()
      await run
      // the two that were let go made place for two more before the lease was looked at
      expect(begun.length).toBeLessThan(10)
    })
  })

  describe('a breaker', () => {
    test('opens after three failures: one attempt at a time, further and further apart, until one succeeds', async () => {
      const { aDispatcher, world, answers, begun, add, look, breakers, projects } = await setUp()
      answers.set('away.example', unanswered)
      const ids = await add('away.example', 50)
      const lane: Lane = { projectId: projects.acme, address: 'away.example' }
      const dispatcher = aDispatcher()
      await dispatcher.run()
      expect(begun).toHaveLength(3)
      expect(shownOutcome(await breakers(), { ...lane, state: 'waiting', outcome: undefined })).toBe(
        'away.example has not answered since 2026-03-02 10:00 UTC. The next attempt is at 2026-03-02 10:00 UTC.',
      )

      const attemptsAfter = async (span: Parameters<typeof world.advance>[0]) => {
        const before = begun.length
        world.advance(span)
        await aDispatcher().run()
        return begun.length - before
      }
      expect(await attemptsAfter('29 seconds')).toBe(0)
      expect(await attemptsAfter('1 second')).toBe(1)
      expect(await attemptsAfter('59 seconds')).toBe(0)
      expect(await attemptsAfter('1 second')).toBe(1)
      expect(await attemptsAfter('1 minute')).toBe(0)
      expect(await attemptsAfter('1 minute')).toBe(1)

      // all of them wait, and none used up an attempt while the breaker was open
      const waiting = await Promise.all(ids.map(look))
      expect(waiting.filter(({ state }) => state === 'waiting')).toHaveLength(50)
      expect(waiting.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(3)

      answers.clear()
      const [fresh] = await add('away.example', 1)
      world.advance('5 minutes')
      await aDispatcher().run()
      expect(
        shownOutcome(await breakers(), { ...lane, state: 'waiting', outcome: undefined }),
      ).toBeUndefined()
      expect(await look(fresh)).toMatchObject({ state: 'sent' })
      const sent = await Promise.all(ids.map(look))
      expect(sent.filter(({ state }) => state === 'sent')).toHaveLength(50)
    })

    test('stays closed where an address answers with failures', async () => {
      const { aDispatcher, answers, begun, add, breakers } = await setUp()
      answers.set('broken.example', refused)
      await add('broken.example', 20)
      await aDispatcher().run()
      expect(begun).toHaveLength(20)
      expect((await breakers()).countOpen()).toBe(0)
    })

    test('opens where failures take long', async () => {
      const { aDispatcher, world, add, breakers } = await setUp()
      await add('slow.example', 20)
      let calls = 0
      const send = async () => {
        calls++
        world.advance('9 seconds')
        return refused
      }
      await aDispatcher({ send }).run()
      expect(calls).toBe(3)
      expect((await breakers()).countOpen()).toBe(1)
    })

    test('of one project leaves the same address alone in others, but the mail server is one for all', async () => {
      const { aDispatcher, projects, answers, begun, add } = await setUp()
      answers.set('chat.example', unanswered)
      answers.set(mailServer, unanswered)
      await add('chat.example', 10)
      await add(mailServer, 10)
      await aDispatcher().run()
      begun.splice(0)

      answers.clear()
      const [heard] = await add('chat.example', 1, projects.other)
      await add(mailServer, 1, projects.other)
      await aDispatcher().run()
      expect(begun).toEqual([heard])
    })

    test('gives up after seven days what waited as long', async () => {
      const { aDispatcher, world, answers, add, look } = await setUp()
      answers.set('gone.example', unanswered)
      const [old = ''] = await add('gone.example', 10)
      const dispatcher = aDispatcher()
      await dispatcher.run()
      world.advance('4 days')
      const [late = ''] = await add('gone.example', 1)
      await dispatcher.run()
      world.advance('4 days')
      await dispatcher.run()
      expect(await look(old)).toMatchObject({
        state: 'failed',
        outcome: 'gone.example did not answer for seven days.',
      })
      expect(await look(late)).toMatchObject({ state: 'waiting' })
    })
  })
}

describe('on SQLite', () => dispatcherContract())

describeOnPostgres('on Postgres', dispatcherContract)
