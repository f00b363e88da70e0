/** A browser and its device. */
export interface DemoDevice {
  agent: string
  screen: readonly [width: number, height: number]
  isPhone: boolean
  weight: number
}

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = 'Windows NT 10.0; Win64; x64'
const mac = 'Macintosh; Intel Mac OS X 10_15_7'

const desktop = (
  weight: number,
  agent: string,
  screen: readonly [number, number] = [1920, 1080],
): DemoDevice => ({
  agent: `Mozilla/5.0 (${agent}`,
  screen,
  isPhone: false,
  weight,
})

const phone = (weight: number, agent: string, screen: readonly [number, number]): DemoDevice => ({
  agent: `Mozilla/5.0 (${agent}`,
  screen,
  isPhone: true,
  weight,
})

export const demoDevices: readonly [DemoDevice, ...DemoDevice[]] = [
  desktop(18, `${windows}) ${webkit} Chrome/141.0.0.0 Safari/537.36`),
  desktop(6, `${windows}) ${webkit} Chrome/140.0.0.0 Safari/537.36`, [1536, 864]),
  desktop(14, `${mac}) ${webkit} Chrome/141.0.0.0 Safari/537.36`, [1512, 982]),
  desktop(4, `${mac}) ${webkit} Chrome/139.0.0.0 Safari/537.36`, [1728, 1117]),
  desktop(8, `${windows}) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`),
  desktop(8, `${mac}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, [1440, 900]),
  desktop(4, `${windows}; rv:144.0) Gecko/20100101 Firefox/144.0`),
  desktop(3, `X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0`, [2560, 1440]),
  desktop(2, `X11; Linux x86_64) ${webkit} Chrome/141.0.0.0 Safari/537.36`, [2560, 1440]),
  desktop(1, `X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/141.0.0.0 Safari/537.36`, [1366, 768]),
  desktop(1, `${windows}) ${webkit} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`),
  phone(
    13,
    'iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    [390, 844],
  ),
  phone(
    2,
    'iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1',
    [430, 932],
  ),
  phone(9, `Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`, [412, 915]),
  phone(
    3,
    `Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    [360, 780],
  ),
  phone(1, 'Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0', [412, 892]),
  phone(
    2,
    'iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    [820, 1180],
  ),
]

/** The product's own apps, which send their platform themselves. */
export const apps: readonly [DemoApp, ...DemoApp[]] = [
  {
    library: 'posthog-ios',
    libraryVersion: '3.31.0',
    os: 'iOS',
    osVersion: '18.6',
    screen: [390, 844],
    weight: 3,
  },
  {
    library: 'posthog-android',
    libraryVersion: '3.23.0',
    os: 'Android',
    osVersion: '15',
    screen: [412, 915],
    weight: 2,
  },
]
export interface DemoApp {
  library: string
  libraryVersion: string
  os: string
  osVersion: string
  screen: readonly [width: number, height: number]
  weight: number
}

export const screens = ['Boards', 'Board', 'Inbox', 'Card', 'Search', 'Settings'] as const
