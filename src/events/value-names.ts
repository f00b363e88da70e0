import { eventLabel, standardProperty, trafficLabels } from './taxonomy'

/** The kind of code that the values of a property are. */
export type ValueCode = 'country' | 'language' | 'boolean' | 'traffic' | 'event' | 'library'

/** Keys of properties, of sessions and of persons’ first visits, and names of dimensions. */
const codesByKey: Readonly<Record<string, ValueCode>> = {
  country: 'country',
  $country_code: 'country',
  $geoip_country_code: 'country',
  $session_country: 'country',
  language: 'language',
  $language: 'language',
  $browser_language: 'language',
  $browser_language_prefix: 'language',
  $session_language: 'language',
  $is_bounce: 'boolean',
  $traffic: 'traffic',
  traffic: 'traffic',
  event: 'event',
  $event: 'event',
  $lib: 'library',
}

/** Returns undefined for a property whose values are shown as they were sent. */
export function codeOfValues(key: string): ValueCode | undefined {
  const current = key.startsWith('$initial_') ? `$${key.slice('$initial_'.length)}` : key
  if (Object.hasOwn(codesByKey, current)) return codesByKey[current]
  return standardProperty(current)?.type === 'boolean' ? 'boolean' : undefined
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Clients send codes of all forms; one that stands for nothing is shown as it was sent. */
const names: Readonly<Record<ValueCode, (value: string) => string | undefined>> = {
  country: (value) => (isCountry(value) ? regions.of(value) : undefined),
  language: languageName,
  boolean: (value) => nameIn(booleans, value),
  traffic: (value) => (isTraffic(value) ? trafficLabels[value] : undefined),
  event: eventLabel,
  library: (value) => nameIn(libraries, value),
}

/** Values are sent by anyone, `constructor` among them. */
const nameIn = (named: Readonly<Record<string, string>>, value: string): string | undefined =>
  Object.hasOwn(named, value) ? named[value] : undefined

const booleans: Readonly<Record<string, string>> = { true: 'Yes', 1: 'Yes', false: 'No', 0: 'No' }

/** The names of libraries that call themselves by a word that says nothing alone, or by a word for a platform. */
const libraries: Readonly<Record<string, string>> = {
  web: 'PostHog (web)',
  tilth: 'Tilth',
  mixpanel: 'Mixpanel',
  'mixpanel-web': 'Mixpanel (web)',
  'mixpanel-node': 'Mixpanel (Node.js)',
  'mixpanel-python': 'Mixpanel (Python)',
  'mixpanel-php': 'Mixpanel (PHP)',
  'mixpanel-ruby': 'Mixpanel (Ruby)',
  'mixpanel-go': 'Mixpanel (Go)',
  'mixpanel-jdk': 'Mixpanel (Java)',
  'mixpanel-android': 'Mixpanel (Android)',
  'mixpanel-iphone': 'Mixpanel (Objective-C)',
  'mixpanel-swift': 'Mixpanel (Swift)',
  'mixpanel-react-native': 'Mixpanel (React Native)',
  'mixpanel-flutter': 'Mixpanel (Flutter)',
  'mixpanel-unity': 'Mixpanel (Unity)',
}

const isCountry = (value: string): boolean => /^[A-Z]{2}$/.test(value)

const isTraffic = (value: string): value is keyof typeof trafficLabels => Object.hasOwn(trafficLabels, value)

function languageName(value: string): string | undefined {
  try {
    return languages.of(value.replaceAll('_', '-'))
  } catch {
    return undefined
  }
}

/** The names of absent values; they are unknown if Tilth derives them, and not set if a client sends them. */
const absent: Readonly<Record<string, string>> = {
  source: 'Direct / None',
  referrer: 'Direct / None',
  $source: 'Direct / None',
  $initial_source: 'Direct / None',
  $referrer: 'Direct / None',
  $referring_domain: 'Direct / None',
  $entry_source: 'Direct / None',
  $entry_referrer: 'Direct / None',
  $entry_referring_domain: 'Direct / None',
  utm_campaign: 'No campaign',
}

const derived =
  /^\$?(?:geoip_|session_|initial_geoip_|initial_)?(?:country|country_code|region|city|subdivision_1_name|city_name|browser|os|device|device_type|language|browser_language|channel|channel_type|screen)$/

/** Returns the name of a value of a property or dimension, for everything that people read. */
export function valueName(key: string, value: string | null): string {
  if (value === null || value === '') return absent[key] ?? (derived.test(key) ? 'Unknown' : '(none)')
  const code = codeOfValues(key)
  return (code && names[code](value)) ?? value
}

/** Returns the codes that may be meant by a part of a name, such as DE by "germ". */
export function codesNamed(key: string, typed: string): string[] {
  const text = typed.trim().toLowerCase()
  const code = codeOfValues(key)
  if (text === '' || code === undefined) return []
  return allCodes[code]().filter((value) => names[code](value)?.toLowerCase().includes(text))
}

const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i))
const pairs = letters.flatMap((first) => letters.map((second) => first + second))

/** Regions that are more or less than a country. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])

/** A retired code such as DD has the name of its successor, to which its canonical form changes it. */
const isPresent = (code: string): boolean => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`

/** Made at the first search, because most processes never search. */
let knownCountries: readonly string[] | undefined
const countries = (): readonly string[] =>
  (knownCountries ??= pairs.filter(
    (code) => regions.of(code) !== undefined && !noCountries.has(code) && isPresent(code),
  ))

const allCodes: Readonly<Record<ValueCode, () => readonly string[]>> = {
  country: countries,
  language: () => pairs.map((code) => code.toLowerCase()).filter((code) => languageName(code) !== undefined),
  boolean: () => ['true', 'false'],
  traffic: () => Object.keys(trafficLabels),
  // events have a list of their own
  event: () => [],
  library: () => Object.keys(libraries),
}
