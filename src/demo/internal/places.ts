import type { SeededRandom } from './seeded-random'

/** A country of the demo's visitors, and its share of the audience. */
interface DemoCountry {
  code: string
  language: string
  /** The UTC offset in hours, in winter; close enough for the daily pattern. */
  offset: number
  zone: string
  weight: number
  cities: readonly [DemoCity, ...DemoCity[]]
}

interface DemoCity {
  weight: number
  /** Public networks that the installed database locates in this city, with all their addresses. */
  networks: readonly [string, ...string[]]
}

/** Returns a city; each country lists its largest one first. */
function city(weight: number, networks: string): DemoCity {
  const [first = '', ...others] = networks.split(' ')
  return { weight, networks: [first, ...others] }
}

const country = (
  code: string,
  language: string,
  [zone, offset]: readonly [string, number],
  weight: number,
  ...cities: [DemoCity, ...DemoCity[]]
): DemoCountry => ({ code, language, zone, offset, weight, cities })

const central = (name: string) => [`Europe/${name}`, 1] as const

export const countries: readonly [DemoCountry, ...DemoCountry[]] = [
  country(
    'US',
    'en-US',
    ['America/New_York', -5],
    19,
    city(5, '32.229.72 67.148.24 107.110.164 166.246.8'),
    city(2, '68.180.20 128.207.80 151.101.100 168.113.0'),
    city(2, '63.123.196 68.160.132 108.20.228 170.63.192'),
  ),
  country(
    'US',
    'en-US',
    ['America/Los_Angeles', -8],
    12,
    city(5, '64.161.56 109.105.220 156.1.132 165.126.228'),
    city(2, '54.25.100 56.100.224 65.80.232 96.31.172'),
    city(2, '65.16.124 129.147.148 157.14.200 168.51.32'),
  ),
  country(
    'DE',
    'de-DE',
    central('Berlin'),
    12,
    city(4, '51.164.232 79.245.236 91.32.104 141.23.60'),
    city(3, '51.31.168 57.106.28 93.134.192 157.163.100'),
    city(2, '77.1.168 87.176.12 104.101.240 141.49.212'),
  ),
  country(
    'GB',
    'en-GB',
    ['Europe/London', 0],
    10,
    city(5, '18.72.132 25.243.44 86.156.84 146.198.96'),
    city(2, '51.71.20 51.176.60 51.251.148 94.229.160'),
  ),
  country(
    'FR',
    'fr-FR',
    central('Paris'),
    6,
    city(5, '57.53.108 78.253.152 88.214.24 109.4.76'),
    city(2, '86.200.176 90.9.204 140.77.76 176.152.188'),
  ),
  country(
    'IN',
    'en-IN',
    ['Asia/Kolkata', 5.5],
    6,
    city(4, '59.98.180 111.125.204 117.211.100 122.171.124'),
    city(3, '14.98.24 49.32.176 88.109.140 117.235.236'),
  ),
  country(
    'CA',
    'en-CA',
    ['America/Toronto', -5],
    4,
    city(3, '24.51.252 97.110.0 142.7.44 158.163.116'),
    city(2, '64.16.56 96.48.224 142.90.156 173.243.128'),
  ),
  country(
    'ES',
    'es-ES',
    central('Madrid'),
    3,
    city(3, '62.22.8 81.43.84 90.68.172 150.214.204'),
    city(2, '62.174.220 80.173.60 85.54.52 147.83.44'),
  ),
  country(
    'IT',
    'it-IT',
    central('Rome'),
    2.6,
    city(3, '16.23.252 78.214.20 85.40.132 94.92.120'),
    city(2, '79.22.164 82.88.224 88.53.76 101.62.0'),
  ),
  country(
    'JP',
    'ja-JP',
    ['Asia/Tokyo', 9],
    2.6,
    city(3, '49.105.96 114.145.216 126.208.188 153.240.204'),
    city(2, '56.164.120 112.69.228 125.173.244 157.3.192'),
  ),
  country(
    'AU',
    'en-AU',
    ['Australia/Sydney', 10],
    3,
    city(3, '17.30.32 54.206.96 110.149.192 140.83.92'),
    city(2, '34.1.176 101.165.232 121.79.36 144.205.124'),
  ),
  country('NL', 'nl-NL', central('Amsterdam'), 4.5, city(1, '40.68.100 80.113.196 108.143.92 145.221.136')),
  country(
    'BR',
    'pt-BR',
    ['America/Sao_Paulo', -3],
    3.4,
    city(1, '143.107.20 177.166.120 179.251.100 189.67.228'),
  ),
  country('PL', 'pl-PL', central('Warsaw'), 2.2, city(1, '37.249.200 79.162.92 89.73.124 164.127.100')),
  country('SE', 'sv-SE', central('Stockholm'), 2, city(1, '16.171.180 78.75.180 94.137.100 159.38.116')),
  country('CH', 'de-CH', central('Zurich'), 2, city(1, '51.103.188 86.118.112 146.67.136 169.33.240')),
  country('AT', 'de-AT', central('Vienna'), 1.6, city(1, '77.80.72 85.124.120 138.22.68 178.188.140')),
  country('SG', 'en-SG', ['Asia/Singapore', 8], 1.5, city(1, '20.195.12 52.76.208 118.189.52 159.65.136')),
  country('DK', 'da-DK', central('Copenhagen'), 1.3, city(1, '77.66.56 85.80.220 94.145.104 155.53.252')),
  country('BE', 'nl-BE', central('Brussels'), 1.2, city(1, '35.187.172 57.194.12 57.217.236 109.88.116')),
  country('IE', 'en-IE', ['Europe/Dublin', 0], 1.2, city(1, '20.166.36 52.18.212 54.195.244 74.178.52')),
  country(
    'MX',
    'es-MX',
    ['America/Mexico_City', -6],
    1.2,
    city(1, '159.16.172 187.193.164 189.160.236 200.57.164'),
  ),
  country('NO', 'nb-NO', central('Oslo'), 1.1, city(1, '62.102.180 89.8.64 146.2.12 158.36.160')),
  country('PT', 'pt-PT', ['Europe/Lisbon', 0], 1.1, city(1, '80.174.240 89.181.88 149.90.52 193.136.40')),
  country('FI', 'fi-FI', ['Europe/Helsinki', 2], 1, city(1, '80.221.236 88.115.36 139.157.0 192.130.216')),
  country('CZ', 'cs-CZ', central('Prague'), 0.9, city(1, '81.0.212 88.86.120 90.181.144 147.33.84')),
  country('KR', 'ko-KR', ['Asia/Seoul', 9], 0.9, city(1, '42.20.52 61.47.236 121.160.204 210.205.24')),
  country(
    'AR',
    'es-AR',
    ['America/Argentina/Buenos_Aires', -3],
    0.8,
    city(1, '181.7.180 181.105.84 186.125.56 190.178.124'),
  ),
  country(
    'ZA',
    'en-ZA',
    ['Africa/Johannesburg', 2],
    0.8,
    city(1, '40.92.88 41.185.212 105.249.228 164.151.132'),
  ),
  country('TR', 'tr-TR', ['Europe/Istanbul', 3], 0.8, city(1, '44.176.252 90.159.64 172.70.112 185.28.60')),
  country('UA', 'uk-UA', ['Europe/Kyiv', 2], 0.7, city(1, '46.175.68 88.155.252 94.179.180 176.36.204')),
  country('RO', 'ro-RO', ['Europe/Bucharest', 2], 0.7, city(1, '81.12.216 88.158.36 92.83.144 109.102.212')),
  country('NG', 'en-NG', ['Africa/Lagos', 1], 0.7, city(1, '102.88.120 102.95.124 105.117.232 105.125.32')),
  country('IL', 'he-IL', ['Asia/Jerusalem', 2], 0.7, city(1, '35.53.68 51.204.88 79.178.60 84.110.248')),
  country('ID', 'id-ID', ['Asia/Jakarta', 7], 0.7, city(1, '39.196.168 39.239.12 103.245.180 120.173.124')),
  country('TW', 'zh-TW', ['Asia/Taipei', 8], 0.6, city(1, '60.250.112 114.25.12 122.120.224 202.145.64')),
  country('KE', 'en-KE', ['Africa/Nairobi', 3], 0.5, city(1, '102.7.204 105.58.176 154.79.108 196.104.80')),
  country(
    'NZ',
    'en-NZ',
    ['Pacific/Auckland', 12],
    0.5,
    city(1, '103.16.20 122.56.56 131.203.156 182.26.248'),
  ),
]

export interface DemoHome {
  country: DemoCountry
  address: string
}

export function newHome(random: SeededRandom): DemoHome {
  const land = random.weighted(countries)
  const { networks } = random.weighted(land.cities)
  return { country: land, address: `${random.pick(networks)}.${random.whole(1, 254)}` }
}
