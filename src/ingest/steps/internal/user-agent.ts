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
import { classifyTraffic, robotName, type TrafficClass } from '../robots'
import { truncate, textOf, type IngestStep } from './step'

/** The stored parts of a user agent: families and major versions, which many people share. */
interface ParsedUserAgent extends TrafficClass {
  browser: string
  browserVersion: string
  os: string
  osVersion: string
  device: string
}

/**
 * Parses a user agent. Results are cached, because there are few user agents and parsing takes longer than all other
 * steps.
 */
export const parseUserAgent = memoize(10_000, parseUserAgentUncached)

function parseUserAgentUncached(userAgent: string): ParsedUserAgent {
  const traffic = classifyTraffic(userAgent)
  const isRobot = traffic.traffic !== 'human'
  const parsed = userAgent === '' ? undefined : parse(userAgent)
  const browser = browserIn(userAgent, parsed?.browser.name, parsed?.browser.version)
  // Windows reports "NT 6.1" for Windows 7
  const isWindows = parsed?.os.name === 'Windows'
  const system = systemIn(userAgent, parsed?.os.name, isWindows ? parsed.os.versionName : parsed?.os.version)
  const device = deviceIn(userAgent, parsed?.platform.type, system.name)
  return {
    ...traffic,
    // a robot's own name matters, not the browser it runs in
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

/**
 * Our own lists come first: they contain browsers that bowser mistakes for others. Names that bowser derives from
 * arbitrary text are ignored.
 */
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

/** Uses the names of PostHog's SDKs, which treat the mobile version as another browser. */
function toMobileName(browser: string, system: string): string {
  if (system === 'iOS' && browser === 'Safari') return 'Mobile Safari'
  return system === 'Windows Phone' && browser === 'Internet Explorer' ? 'Internet Explorer Mobile' : browser
}

/** Returns 10 for "10.15.7"; a version that is a name, such as "XP", is unchanged. */
function majorVersion(version: string): string {
  return /^\d+/.exec(version)?.[0] ?? truncate(version, 10)
}

/**
 * Reads the browser, the system and the kind of device. An SDK's own properties take precedence: it knows what the user
 * agent hides, for example an iPad that reports itself as a Macintosh.
 */
export const readUserAgent: IngestStep = (draft) => {
  const parsed = parseUserAgent(draft.userAgent)
  const claimed =
    draft.fromServer && !describesDevice(draft.event.properties) ? noProperties : draft.event.properties
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

/** A server's SDK reports the server's own system, unless it forwards a visitor's properties. */
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
