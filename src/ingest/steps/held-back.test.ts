import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import referrers from '#test/vectors/referrers.json'
import agents from '#test/vectors/useragents.json'
import { classifyTraffic } from './robots'
import { isWebmailHost } from './internal/source-patterns'
import { hostPartsOf } from './internal/sites'
import { parseUserAgent } from './internal/user-agent'

/**
 * The patterns were written by looking at one half of the published examples. The other half is held back: do not change
 * a pattern because of what it holds. docs/sources.md gives the scores of both.
 */
const halfOf = (text: string): 'seen' | 'held back' =>
  (createHash('sha256').update(text).digest()[0] ?? 0) % 2 === 0 ? 'seen' : 'held back'

const isWebmail = (host: string): boolean => isWebmailHost(host, hostPartsOf(host).domain)

const mailHosts = [
  ...new Set(
    referrers.snowplow.filter(({ medium }) => medium === 'email').map(({ uri }) => new URL(uri).host),
  ),
]
const otherHosts = [...Object.values(referrers.search_engines), ...Object.values(referrers.socials)]
  .flat()
  .map((host) => host.split('/', 1)[0]?.replace('{}', 'com') ?? '')

/** Counts the texts of a half, and those that a rule holds for. */
function score(
  texts: readonly string[],
  half: 'seen' | 'held back',
  holds: (text: string) => boolean = isWebmail,
): { right: number; of: number } {
  const inHalf = texts.filter((text) => halfOf(text) === half)
  return { right: inHalf.filter(holds).length, of: inHalf.length }
}

describe('webmail by its name, without any list of hosts', () => {
  test('is recognised', () => {
    const scores = { seen: score(mailHosts, 'seen'), heldBack: score(mailHosts, 'held back') }
    expect(scores).toEqual({ seen: { right: 9, of: 9 }, heldBack: { right: 20, of: 22 } })
  })

  test('is not seen in search engines and social networks', () => {
    const scores = { seen: score(otherHosts, 'seen'), heldBack: score(otherHosts, 'held back') }
    expect(scores).toEqual({ seen: { right: 0, of: 465 }, heldBack: { right: 0, of: 417 } })
  })
})

describe('user agents', () => {
  const isRobot = (ua: string): boolean => classifyTraffic(ua).traffic !== 'human'
  const isNamed = (ua: string): boolean => parseUserAgent(ua).browser !== ''
  const robots = agents.bots.map(({ ua }) => ua)
  const browsers = agents.browsers.map(({ ua }) => ua)

  test.each([
    [
      'robots that are told',
      robots,
      isRobot,
      { seen: { right: 81, of: 81 }, heldBack: { right: 69, of: 69 } },
    ],
    [
      'browsers that are taken for robots',
      browsers,
      isRobot,
      { seen: { right: 0, of: 72 }, heldBack: { right: 0, of: 78 } },
    ],
    [
      'browsers with a name',
      browsers,
      isNamed,
      { seen: { right: 57, of: 72 }, heldBack: { right: 62, of: 78 } },
    ],
  ] as const)('%s', (_what, texts, holds, expected) => {
    const scores = { seen: score(texts, 'seen', holds), heldBack: score(texts, 'held back', holds) }
    expect(scores).toEqual(expected)
  })
})
