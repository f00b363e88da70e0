import { parse } from 'bowser'
import type { EventColumns, Properties } from '#events/event'
import {
  appPatterns,
  browserNamesByBowser,
  systemNamesByBowser,
  devicePatterns,
  browserEnginePatterns,
  systemPatterns,
} from './browsers'
import { memoize } from './memoize'
import { classifyTraffic, robotName, type TrafficClass } from './robots'
import { truncate, textOf, type IngestStep } from './step'

/** All that is kept of a user agent: families and major versions, which many people share. */
export interface ParsedUserAgent extends TrafficClass {
  browser: string
  browserVersion: string
  os: string
  osVersion: string
  device: string
}

/** What a user agent says. Senders have few of them, and reading one takes longer than all the rest of an event. */
export const parseUserAgent = memoize(10_000, parseUserAgentUncached)

function parseUserAgentUncached(userAgent: string): ParsedUserAgent {
  const traffic = classifyTraffic(userAgent)
  const isRobot = traffic.traffic !== 'human'
  const parsed = userAgent === '' ? undefined : parse(userAgent)
  const browser = browserIn(userAgent, parsed?.browser.name, parsed?.browser.version)
  // Windows says "NT 6.1" where people say 7
  const isWindows = parsed?.os.name === 'Windows'
  const system = systemIn(userAgent, parsed?.os.name, isWindows ? parsed.os.versionName : parsed?.os.version)
  const device = deviceIn(userAgent, parsed?.platform.type, system.name)
  return {
    ...traffic,
    // what a robot runs in is of no interest; who it is, is
    browser: isRobot ? robotName(userAgent) : toMobileName(browser.name, system.name),
    browserVersion: isRobot ? '' : majorVersion(browser.version),
    os: system.name,
    osVersion: majorVersion(system.version),
    device,
  }
}

interface NameAndVersion {
  name: string
  version: string
}

const unknown: NameAndVersion = { name: '', version: '' }

/** Lists of our own first: they hold what bowser takes for something else. Names it makes up itself are not taken. */
function browserIn(userAgent: string, name = '', version = ''): NameAndVersion {
  return (
    firstMatch(appPatterns, userAgent) ??
    mapName(browserNamesByBowser, name, version) ??
    firstMatch(browserEnginePatterns, userAgent) ??
    unknown
  )
}

function systemIn(userAgent: string, name = '', version = ''): NameAndVersion {
  return firstMatch(systemPatterns, userAgent) ?? mapName(systemNamesByBowser, name, version) ?? unknown
}

function mapName(
  names: Readonly<Record<string, string>>,
  name: string,
  version: string,
): NameAndVersion | undefined {
  const mapped = Object.hasOwn(names, name) ? names[name] : undefined
  return mapped === undefined ? undefined : { name: mapped, version }
}

function firstMatch(
  patterns: readonly (readonly [string, RegExp])[],
  userAgent: string,
): NameAndVersion | undefined {
  for (const [name, pattern] of patterns) {
    const found = pattern.exec(userAgent)
    if (found) return { name, version: found[1] ?? '' }
  }
  return undefined
}

function deviceIn(userAgent: string, platform = '', system: string): string {
  const matched = devicePatterns.find(([, pattern]) => pattern.test(userAgent))?.[0]
  if (matched) return matched
  if (platform === 'mobile') return 'Mobile'
  if (platform === 'tablet') return 'Tablet'
  if (platform === 'tv') return 'TV'
  return platform === 'desktop' || ['Mac OS X', 'Windows', 'Linux', 'Chrome OS'].includes(system)
    ? 'Desktop'
    : ''
}

/** Uses the names of PostHog's SDKs, for which the mobile version is another browser. */
function toMobileName(browser: string, system: string): string {
  if (system === 'iOS' && browser === 'Safari') return 'Mobile Safari'
  return system === 'Windows Phone' && browser === 'Internet Explorer' ? 'Internet Explorer Mobile' : browser
}

/** "10.15.7" is 10; a version by name, such as "XP", stays one. */
function majorVersion(version: string): string {
  return /^\d+/.exec(version)?.[0] ?? truncate(version, 10)
}

/**
 * Browser, system and kind of device. What an SDK says about its own device comes first: it sees what the user agent
 * hides, an iPad that calls itself a Macintosh for one.
 */
export const readUserAgent: IngestStep = (draft, { envelope }) => {
  const parsed = parseUserAgent(draft.userAgent)
  const claimed =
    envelope.fromServer && !describesDevice(draft.event.properties) ? noProperties : draft.event.properties
  setColumn(draft.columns, 'browser', textOr(claimed, '$browser', parsed.browser))
  setColumn(draft.columns, 'os', textOr(claimed, '$os', parsed.os))
  setColumn(draft.columns, 'device', textOr(claimed, '$device_type', parsed.device))
  const { browser, os } = draft.columns
  setColumn(
    draft.columns,
    'browser_version',
    majorVersionOr(claimed, '$browser_version', browser === parsed.browser ? parsed.browserVersion : ''),
  )
  setColumn(
    draft.columns,
    'os_version',
    majorVersionOr(claimed, '$os_version', os === parsed.os ? parsed.osVersion : ''),
  )
}

const noProperties: Properties = {}

/** A server's SDK says which system the server runs on; only one that carries a visitor's words knows more. */
const describesDevice = (properties: Properties): boolean =>
  textOf(properties, '$browser') !== '' || textOf(properties, '$device_type') !== ''

const textOr = (properties: Properties, key: string, parsed: string): string =>
  truncate(textOf(properties, key), 60) || parsed

const majorVersionOr = (properties: Properties, key: string, parsed: string): string =>
  majorVersion(textOf(properties, key)) || parsed

type UserAgentColumn = 'browser' | 'browser_version' | 'os' | 'os_version' | 'device'

function setColumn(columns: Partial<EventColumns>, column: UserAgentColumn, value: string): void {
  if (value !== '') columns[column] = value
}
