import { describe, expect, test } from 'vitest'
import type { MailResult } from '#outbound/mailer'
import { openTestProduct, present, requireDone, type TestProduct } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { openLetterFixture, tokenIn, viewer } from '#test/outside/letters'

type Begin = () => Promise<{ begun: TestProduct; url?: string }>

/** Letters on either form of the store. */
function letterTests(begin: Begin): void {
  test('a letter goes to each subscriber once, is clicked, and ends by one click', async () => {
    const { begun, url } = await begin()
    const fixture = await openLetterFixture(begun, { ...(url && { url }) })
    const { sender, sent, events, replies, links } = fixture
    await fixture.subscribe('ana@example.com', 'ben@example.com')
    const letter = await fixture.order()
    await sender.run()
    await sender.run()
    expect(sent.map(({ to }) => to).toSorted()).toEqual(['ana@example.com', 'ben@example.com'])
    const toAna = present(sent.find(({ to }) => to === 'ana@example.com'))
    expect(toAna).toMatchObject({
      subject: 'Hello',
      listId: `<newsletter.${fixture.projectId}.acme.example>`,
    })

    const click = links.read(tokenIn(toAna.text, 'click'))
    if (click?.do !== 'click') throw new Error('This is no link to click.')
    const target = await replies.click(click, undefined)
    expect(target).toBe('https://other.example/a')
    expect((await fixture.report(letter.id)).letter.figures.clicked).toBe(0)

    const leave = links.read(tokenIn(toAna.text, 'unsubscribe'))
    if (leave?.do !== 'unsubscribe') throw new Error('This is no link to unsubscribe.')
    await replies.unsubscribe(leave)
    await replies.unsubscribe(leave)
    expect(events.map(({ name }) => name)).toEqual([
      '$letter_delivered',
      '$letter_delivered',
      '$letter_unsubscribed',
    ])
    expect((await fixture.report(letter.id)).letter).toMatchObject({
      state: 'sent',
      figures: { recipients: 2, delivered: 2, unsubscribed: 1 },
    })

    await fixture.order()
    await sender.run()
    expect(sent.map(({ to }) => to).slice(2)).toEqual(['ben@example.com'])
    expect(await fixture.subscribe('ana@example.com')).toMatchObject({ added: 0, left: 1 })
  })

  test('after a crash in the middle, what may have arrived is named and the rest is sent', async () => {
    const { begun, url } = await begin()
    let calls = 0
    const crash = new Error('The machine stopped.')
    const answer = (): MailResult => {
      calls++
      if (calls === 2) throw crash
      return { posted: true }
    }
    const fixture = await openLetterFixture(begun, { answer, ...(url && { url }) })
    await fixture.subscribe('ana@example.com', 'ben@example.com', 'cleo@example.com')
    const { id } = await fixture.order()
    await expect(fixture.sender.run()).rejects.toBe(crash)
    expect(fixture.sent).toHaveLength(1)

    await fixture.sender.run()
    await fixture.sender.run()
    expect(calls).toBe(3)
    const { letter, troubles } = await fixture.report(id)
    expect(letter).toMatchObject({ state: 'sent', figures: { recipients: 3, delivered: 2, uncertain: 1 } })
    expect(troubles).toMatchObject([{ state: 'uncertain', outcome: expect.stringMatching(/^Tilth stopped/) }])
    const reached = new Set(fixture.sent.map(({ to }) => to))
    expect(reached.size).toBe(2)
    expect(reached.has(present(troubles[0]?.address))).toBe(false)
  })

  test('a letter that is cancelled in the middle goes to no one else', async () => {
    const { begun, url } = await begin()
    const fixture = await openLetterFixture(begun, { ...(url && { url }) })
    requireDone(await fixture.subscriptions.changeSettings(fixture.projectId, { perMinute: 1 }, viewer))
    await fixture.subscribe('ana@example.com', 'ben@example.com')
    const { id } = await fixture.order()
    await fixture.sender.run()
    expect(fixture.sent).toHaveLength(1)
    requireDone(await fixture.letters.cancel(fixture.projectId, id, viewer))
    fixture.world.advance('5 minutes')
    await fixture.sender.run()
    expect(fixture.sent).toHaveLength(1)
    expect((await fixture.report(id)).letter).toMatchObject({ state: 'cancelled', figures: { delivered: 1 } })
  })
}

describe('letters on SQLite', () => letterTests(async () => ({ begun: await openTestProduct() })))
describeOnPostgres('letters', (emptyDatabase) =>
  letterTests(async () => {
    const url = await emptyDatabase()
    return { begun: await openTestProduct({ url }), url }
  }),
)
