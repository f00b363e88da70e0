/** Browsers, systems and devices by the names that other products give them, and by those of Tilth. */
const browsers: Readonly<Record<string, string>> = {
  'edge-chromium': 'Microsoft Edge',
  edge: 'Microsoft Edge',
  'edge-ios': 'Microsoft Edge',
  chrome: 'Chrome',
  crios: 'Chrome iOS',
  'chromium-webview': 'Chrome',
  'android-webview': 'Chrome',
  firefox: 'Firefox',
  fxios: 'Firefox iOS',
  safari: 'Safari',
  ios: 'Mobile Safari',
  'ios-webview': 'Mobile Safari',
  opera: 'Opera',
  'opera-mini': 'Opera Mini',
  samsung: 'Samsung Internet',
  'samsung browser': 'Samsung Internet',
  facebook: 'Facebook Mobile',
  instagram: 'Instagram',
  silk: 'Silk',
  miui: 'MIUI Browser',
  yandexbrowser: 'Yandex Browser',
  brave: 'Brave',
  ie: 'Internet Explorer',
  'internet explorer': 'Internet Explorer',
  kakaotalk: 'KakaoTalk',
  'mobile safari': 'Mobile Safari',
  'chrome mobile': 'Chrome',
  'chrome mobile ios': 'Chrome iOS',
  'mobile app': '',
}

const systems: Readonly<Record<string, string>> = {
  'mac os': 'Mac OS X',
  macos: 'Mac OS X',
  mac: 'Mac OS X',
  macintosh: 'Mac OS X',
  'android os': 'Android',
  'gnu/linux': 'Linux',
  'chrome os': 'Chrome OS',
  chromeos: 'Chrome OS',
}

const devices: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  laptop: 'Desktop',
  mobile: 'Mobile',
  smartphone: 'Mobile',
  phone: 'Mobile',
  phablet: 'Mobile',
  tablet: 'Tablet',
  tv: 'TV',
  'smart tv': 'TV',
}

/** A name that is not on the list stays as it is. */
const lookUp = (names: Readonly<Record<string, string>>, name: string | undefined): string | undefined => {
  const key = name?.trim().toLowerCase() ?? ''
  if (key === '' || key === 'unknown' || key === '(not set)') return undefined
  return (Object.hasOwn(names, key) ? names[key] : name?.trim()) || undefined
}

export const browserName = (name: string | undefined) => lookUp(browsers, name)
export const deviceName = (name: string | undefined) => lookUp(devices, name)

/** The system, and its version where the name ends in one, as in "Windows 10". */
export function systemOf(name: string | undefined): {
  $os?: string | undefined
  $os_version?: string | undefined
} {
  const [, family, version] = /^(Windows|iOS|Android)(?: ([\d.]+|XP|Vista))$/i.exec(name?.trim() ?? '') ?? []
  if (family !== undefined) return { $os: family, $os_version: version }
  return { $os: lookUp(systems, name) }
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

let codesByName: ReadonlyMap<string, string> | undefined

/** The code of a country that is named by its code or in English. */
export function countryCode(name: string | undefined): string | undefined {
  const text = name?.trim() ?? ''
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase()
  codesByName ??= new Map([...namedCodes(regions), ...otherCountryNames])
  return codesByName.get(text.toLowerCase())
}

const otherCountryNames: readonly [string, string][] = [
  ['turkey', 'TR'],
  ['czech republic', 'CZ'],
  ['hong kong', 'HK'],
  ['macao', 'MO'],
  ['myanmar (burma)', 'MM'],
]

let languagesByName: ReadonlyMap<string, string> | undefined

/** The code of a language that is named by its code or in English. */
export function languageCode(name: string | undefined): string | undefined {
  const text = name?.trim() ?? ''
  if (/^[a-z]{2,3}(?:[-_]\w+)*$/i.test(text)) return text
  languagesByName ??= new Map([...namedCodes(languages)].map(([known, code]) => [known, code.toLowerCase()]))
  return languagesByName.get(text.toLowerCase())
}

/** All codes of two letters that have a name. */
function* namedCodes(names: Intl.DisplayNames): Generator<[string, string]> {
  for (const first of letters)
    for (const second of letters) {
      const name = names.of(first + second)
      if (name !== undefined) yield [name.toLowerCase(), first + second]
    }
}
