import { parse } from 'bowser'
import type { EventColumns, Properties } from '../../events/event'
import { apps, bowserBrowsers, bowserSystems, devices, engines, systems } from './browsers'
import { remembering } from './memo'
import { robotIn, robotName, type Robot } from './robots'
import { cut, textOf, type Step } from './step'

/** All that is kept of a user agent: families and major versions, which many people share. */
export interface Reading extends Robot {
  browser: string
  browserVersion: string
  os: string
  osVersion: string
  device: string
}

/** What a user agent says. Senders have few of them, and reading one takes longer than all the rest of an event. */
export const reading = remembering(10_000, readAgent)

function readAgent(userAgent: string): Reading {
  const robot = robotIn(userAgent)
  const isRobot = robot.traffic !== 'human'
  const parsed = userAgent === '' ? undefined : parse(userAgent)
  const browser = browserIn(userAgent, parsed?.browser.name, parsed?.browser.version)
  // Windows says "NT 6.1" where people say 7
  const isWindows = parsed?.os.name === 'Windows'
  const system = systemIn(userAgent, parsed?.os.name, isWindows ? parsed.os.versionName : parsed?.os.version)
  const device = deviceIn(userAgent, parsed?.platform.type, system.name)
  return {
    ...robot,
    // what a robot runs in is of no interest; who it is, is
    browser: isRobot ? robotName(userAgent) : mobileName(browser.name, system.name),
    browserVersion: isRobot ? '' : major(browser.version),
    os: system.name,
    osVersion: major(system.version),
    device,
  }
}

interface Named {
  name: string
  version: string
}

const unknown: Named = { name: '', version: '' }

/** Lists of our own first: they hold what bowser takes for something else. Names it makes up itself are not taken. */
function browserIn(userAgent: string, name = '', version = ''): Named {
  return (
    matchIn(apps, userAgent) ?? known(bowserBrowsers, name, version) ?? matchIn(engines, userAgent) ?? unknown
  )
}

function systemIn(userAgent: string, name = '', version = ''): Named {
  return matchIn(systems, userAgent) ?? known(bowserSystems, name, version) ?? unknown
}

function known(names: Readonly<Record<string, string>>, name: string, version: string): Named | undefined {
  const ours = Object.hasOwn(names, name) ? names[name] : undefined
  return ours === undefined ? undefined : { name: ours, version }
}

function matchIn(patterns: readonly (readonly [string, RegExp])[], userAgent: string): Named | undefined {
  for (const [name, pattern] of patterns) {
    const found = pattern.exec(userAgent)
    if (found) return { name, version: found[1] ?? '' }
  }
  return undefined
}

function deviceIn(userAgent: string, platform = '', system: string): string {
  const told = devices.find(([, pattern]) => pattern.test(userAgent))?.[0]
  if (told) return told
  if (platform === 'mobile') return 'Mobile'
  if (platform === 'tablet') return 'Tablet'
  if (platform === 'tv') return 'TV'
  return platform === 'desktop' || ['Mac OS X', 'Windows', 'Linux', 'Chrome OS'].includes(system)
    ? 'Desktop'
    : ''
}

/** The same name on a telephone is another browser to PostHog's SDKs, whose words these are. */
function mobileName(browser: string, system: string): string {
  if (system === 'iOS' && browser === 'Safari') return 'Mobile Safari'
  return system === 'Windows Phone' && browser === 'Internet Explorer' ? 'Internet Explorer Mobile' : browser
}

/** "10.15.7" is 10; a version by name, such as "XP", stays one. */
function major(version: string): string {
  return /^\d+/.exec(version)?.[0] ?? cut(version, 10)
}

/**
 * Browser, system and kind of device. What an SDK says about its own device comes first: it sees what the user agent
 * hides, an iPad that calls itself a Macintosh for one.
 */
export const readUserAgent: Step = (draft, { envelope }) => {
  const parsed = reading(draft.userAgent)
  const told =
    envelope.fromServer && !speaksOfADevice(draft.event.properties) ? nothing : draft.event.properties
  tell(draft.columns, 'browser', saidOr(told, '$browser', parsed.browser))
  tell(draft.columns, 'os', saidOr(told, '$os', parsed.os))
  tell(draft.columns, 'device', saidOr(told, '$device_type', parsed.device))
  const { browser, os } = draft.columns
  tell(
    draft.columns,
    'browser_version',
    versionOf(told, '$browser_version', browser === parsed.browser ? parsed.browserVersion : ''),
  )
  tell(draft.columns, 'os_version', versionOf(told, '$os_version', os === parsed.os ? parsed.osVersion : ''))
}

const nothing: Properties = {}

/** A server's SDK says which system the server runs on; only one that carries a visitor's words knows more. */
const speaksOfADevice = (properties: Properties): boolean =>
  textOf(properties, '$browser') !== '' || textOf(properties, '$device_type') !== ''

const saidOr = (told: Properties, key: string, parsed: string): string => cut(textOf(told, key), 60) || parsed

const versionOf = (told: Properties, key: string, parsed: string): string =>
  major(textOf(told, key)) || parsed

type Told = 'browser' | 'browser_version' | 'os' | 'os_version' | 'device'

function tell(columns: Partial<EventColumns>, column: Told, value: string): void {
  if (value !== '') columns[column] = value
}
