import { describe, expect, test } from 'vitest'
import { alertCondition, isAboutTooLittle, judge, type AlertReading } from '../condition'
import { notificationReasonOf } from './notification'
import { alertSentence, conditionWords } from '../alert-words'
import { nextCheck } from '../alert'
import { nextReport } from '../report'

const above = { type: 'threshold', is: 'above', value: 100, interval: 'day' }
const below = { ...above, is: 'below' }
const falls = { type: 'relative', does: 'fall', by: 30, interval: 'day' }
const rises = { ...falls, does: 'rise' }
const changes = { ...falls, does: 'change', by: 10, as: 'amount' }
const absent = { type: 'absence', minutes: 60 }

describe('verdicts', () => {
  test.each<[object, AlertReading, string]>([
    [above, { value: 101 }, 'firing'],
    [above, { value: 100 }, 'ok'],
    [above, { value: null }, 'unknown'],
    [below, { value: 99 }, 'firing'],
    [below, { value: 100 }, 'ok'],
    [falls, { value: 69, against: 100 }, 'firing'],
    [falls, { value: 70, against: 100 }, 'ok'],
    [falls, { value: 200, against: 100 }, 'ok'],
    [falls, { value: 0, against: 0 }, 'ok'],
    [falls, { value: 5, against: null }, 'unknown'],
    [rises, { value: 131, against: 100 }, 'firing'],
    [rises, { value: 130, against: 100 }, 'ok'],
    [rises, { value: 1, against: 0 }, 'firing'],
    [rises, { value: -60, against: -100 }, 'firing'],
    [changes, { value: 111, against: 100 }, 'firing'],
    [changes, { value: 89, against: 100 }, 'firing'],
    [changes, { value: 90, against: 100 }, 'ok'],
    [absent, { value: 0 }, 'firing'],
    [absent, { value: 1 }, 'ok'],
  ])('%j of %j is %s', (wanted, reading, state) => {
    expect(judge(reading, alertCondition.parse(wanted)).state).toBe(state)
  })

  test.each([
    [above, false],
    [below, true],
    [falls, true],
    [rises, false],
    [changes, true],
    [absent, true],
  ])('%j may only look so when collection was down: %s', (wanted, expected) => {
    expect(isAboutTooLittle(alertCondition.parse(wanted))).toBe(expected)
  })

  test.each([
    [{ ...falls, by: 100 }, 'A fall is at most 99%. To be notified of no events at all, choose absence.'],
    [
      { ...falls, interval: 'month', against: 'week-before' },
      'A month cannot be compared with the previous week. Choose the previous month.',
    ],
    [{ ...absent, minutes: 1 }, 'Use at least 5 minutes: events take a moment to arrive.'],
    [{ type: 'guess' }, 'Choose a condition: threshold, relative or absence.'],
    [{ ...above, value: '100' }, 'Give the threshold as a number.'],
  ])('%j is refused', (wanted, sentence) => {
    expect(alertCondition.safeParse(wanted).error?.issues[0]?.message).toBe(sentence)
  })
})

describe('who hears of it', () => {
  const now = new Date('2026-03-02T10:00:00Z')
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const quiet = { told: 'ok' as const, toldAt: undefined, mutedUntil: undefined, coolDownMinutes: 60 }
  const loud = { ...quiet, told: 'firing' as const }

  test.each([
    // now          what was told last                                 who hears what
    ['firing', quiet, 'firing'],
    ['firing', { ...quiet, toldAt: ago(0.5) }, undefined],
    ['firing', { ...quiet, toldAt: ago(1) }, 'firing'],
    ['firing', { ...loud, toldAt: ago(23) }, undefined],
    ['firing', { ...loud, toldAt: ago(24) }, 'still-firing'],
    ['firing', { ...quiet, mutedUntil: ago(-1) }, undefined],
    ['firing', { ...quiet, mutedUntil: ago(1) }, 'firing'],
    ['ok', quiet, undefined],
    ['ok', { ...loud, toldAt: ago(0.1) }, 'recovered'],
    ['ok', { ...loud, toldAt: ago(2), mutedUntil: ago(-1) }, undefined],
    ['unknown', quiet, undefined],
    ['unknown', { ...loud, toldAt: ago(48) }, undefined],
  ] as const)('%s after %j: %s', (state, telling, expected) => {
    expect(notificationReasonOf({ state }, telling, now)).toBe(expected)
  })
})

describe('sentences', () => {
  test.each([
    [falls, 'views of the last complete day fall by more than 30% compared with the previous day'],
    [
      { ...falls, against: 'week-before' },
      'views of the last complete day fall by more than 30% compared with the same day of the previous week',
    ],
    [changes, 'views of the last complete day rise or fall by more than 10 compared with the previous day'],
    [above, 'views of the last complete day are above 100'],
    [{ ...below, of: 'running', interval: 'hour' }, 'views of this hour so far are below 100'],
    [absent, 'there are no views for 1 hour'],
    [{ ...absent, minutes: 2880 }, 'there are no views for 2 days'],
  ])('%j', (wanted, sentence) => expect(conditionWords('views', alertCondition.parse(wanted))).toBe(sentence))

  test('say who is told', () => {
    const told = ['ana@example.com', 'ben@example.com', 'hooks.example']
    expect(alertSentence([], 'views', alertCondition.parse(above))).toBe(
      'No recipients yet. Fires when views of the last complete day are above 100.',
    )
    expect(alertSentence(told, 'views', alertCondition.parse(above))).toBe(
      'Notify ana@example.com, ben@example.com and hooks.example when views of the last complete day are above 100.',
    )
  })
})

describe('on the clock of the project', () => {
  const calendar = (now: string, timeZone: string) => ({
    now: new Date(now),
    timeZone,
    weekStart: 'monday' as const,
  })

  test.each([
    ['5m', '2026-03-02T10:01:30Z', 'UTC', '2026-03-02T10:05:00Z'],
    ['1h', '2026-03-02T10:00:00Z', 'UTC', '2026-03-02T11:00:00Z'],
    ['1d', '2026-03-02T10:00:00Z', 'Europe/Berlin', '2026-03-02T23:10:00Z'],
    ['1d', '2026-03-02T23:05:00Z', 'Europe/Berlin', '2026-03-02T23:10:00Z'],
    ['1d', '2026-03-28T23:30:00Z', 'Europe/Berlin', '2026-03-29T22:10:00Z'],
    ['1d', '2018-11-03T12:00:00Z', 'America/Sao_Paulo', '2018-11-04T03:10:00Z'],
  ] as const)('a check %s after %s in %s is at %s', (every, now, zone, expected) => {
    expect(nextCheck(every, calendar(now, zone))).toEqual(new Date(expected))
  })

  test.each([
    ['day', 8, '2026-03-02T06:00:00Z', 'Europe/Berlin', '2026-03-02T07:00:00Z'],
    ['day', 8, '2026-03-02T07:00:00Z', 'Europe/Berlin', '2026-03-03T07:00:00Z'],
    ['day', 2, '2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['day', 0, '2018-11-03T12:00:00Z', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    ['week', 8, '2026-03-04T12:00:00Z', 'UTC', '2026-03-09T08:00:00Z'],
    ['month', 8, '2026-03-04T12:00:00Z', 'Asia/Kathmandu', '2026-04-01T02:15:00Z'],
  ] as const)('a report each %s at %i after %s in %s is at %s', (every, hour, now, zone, expected) => {
    expect(nextReport(every, hour, calendar(now, zone))).toEqual(new Date(expected))
  })
})
