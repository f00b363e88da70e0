/** The demo's product: boards for small teams, by a company that does not exist. */
export const product = {
  name: 'Pinewise',
  site: 'https://pinewise.example',
  app: 'https://app.pinewise.example',
  docs: 'https://docs.pinewise.example',
} as const

export interface DemoPage {
  url: string
  title: string
  /** The usual time on the page. */
  seconds: number
  /** The usual scroll depth, from 0 to 1. */
  depth: number
  weight: number
}

const page = (url: string, title: string, seconds: number, depth: number, weight: number): DemoPage => ({
  url,
  title: `${title} · ${product.name}`,
  seconds,
  depth,
  weight,
})

const { site, app, docs } = product

export const home = page(`${site}/`, 'Boards for small teams', 34, 0.55, 24)
export const pricing = page(`${site}/pricing`, 'Pricing', 48, 0.7, 22)
export const signUp = page(`${site}/signup`, 'Sign up', 40, 0.95, 0)
export const signIn = page(`${site}/login`, 'Sign in', 12, 1, 0)
export const notFound = page(`${site}/404`, 'Not found', 6, 1, 0)

/** The pages of a visit. */
export const pages: readonly [DemoPage, ...DemoPage[]] = [
  home,
  pricing,
  page(`${site}/features/boards`, 'Boards', 42, 0.62, 14),
  page(`${site}/features/automations`, 'Automations', 38, 0.58, 9),
  page(`${site}/customers`, 'Customers', 30, 0.5, 6),
  page(`${site}/compare/spreadsheets`, 'Instead of spreadsheets', 55, 0.66, 5),
  page(`${site}/about`, 'About us', 25, 0.6, 4),
  page(`${site}/changelog`, 'What is new', 36, 0.45, 5),
  page(`${site}/security`, 'Security', 33, 0.52, 3),
  page(`${site}/blog`, 'Blog', 20, 0.6, 7),
  page(`${site}/download`, 'Apps', 22, 0.7, 3),
]

export const documentation: readonly [DemoPage, ...DemoPage[]] = [
  page(`${docs}/`, 'Documentation', 18, 0.6, 6),
  page(`${docs}/start`, 'First steps', 75, 0.72, 9),
  page(`${docs}/import`, 'Import a spreadsheet', 64, 0.68, 6),
  page(`${docs}/automations/recipes`, 'Recipes for automations', 82, 0.6, 5),
  page(`${docs}/api`, 'API', 95, 0.48, 4),
  page(`${docs}/billing`, 'Billing', 40, 0.75, 3),
]

/** A post is read most when it is new. */
export interface DemoPost extends DemoPage {
  /** The day of publication; negative days are before the story. */
  published: number
}

const post = (published: number, path: string, title: string, seconds: number, weight: number): DemoPost => ({
  ...page(`${site}/blog/${path}`, title, seconds, 0.58, weight),
  published,
})

export const posts: readonly [DemoPost, ...DemoPost[]] = [
  post(-40, 'why-boards', 'Why a board beats a list', 150, 8),
  post(-12, 'standups-without-meetings', 'Standups without meetings', 170, 9),
  post(6, 'import-without-tears', 'Bring your spreadsheet, without tears', 130, 6),
  post(17, 'small-teams-plan', 'How small teams plan a quarter', 210, 10),
  post(24, 'hello-world', 'Pinewise is open to everybody', 95, 12),
  post(35, 'automations-in-ten-minutes', 'Ten automations in ten minutes', 180, 8),
  post(45, 'remote-retrospectives', 'Retrospectives that people come to', 190, 7),
  post(58, 'boards-2', 'Boards 2 is here', 120, 13),
  post(68, 'calm-notifications', 'Notifications, but calm', 140, 6),
  post(79, 'what-we-measure', 'What we measure, and what we do not', 160, 7),
]

/** Pages of the product. A board's address contains its number. */
export const boards = page(`${app}/boards`, 'Boards', 25, 1, 10)
export const welcome = page(`${app}/welcome`, 'Welcome', 50, 1, 0)
export const billing = page(`${app}/settings/billing`, 'Billing', 45, 0.9, 1)
export const productPages: readonly [DemoPage, ...DemoPage[]] = [
  boards,
  page(`${app}/inbox`, 'Inbox', 35, 0.8, 5),
  page(`${app}/automations`, 'Automations', 60, 0.7, 3),
  page(`${app}/settings/team`, 'Team', 30, 0.9, 1.5),
  billing,
]

export const board = (number: number): DemoPage => page(`${app}/boards/${number}`, 'A board', 140, 0.7, 0)

/** External links. */
export const outbound: readonly [string, ...string[]] = [
  'https://github.com/pinewise-example/pinewise-api',
  'https://www.youtube.com/watch?v=pinewise-tour',
  'https://apps.apple.com/app/pinewise',
  'https://play.google.com/store/apps/details?id=example.pinewise',
  'https://status.pinewise-status.example/',
  'https://www.linkedin.com/company/pinewise-example',
]

export const downloads: readonly [string, ...string[]] = [
  `${site}/files/pinewise-security-overview.pdf`,
  `${site}/files/quarterly-planning-template.xlsx`,
  `${site}/files/pinewise-1.8.2.dmg`,
  `${site}/files/pinewise-setup-1.8.2.exe`,
]

/** Missing addresses that other sites link to. */
export const missing: readonly [string, ...string[]] = [
  '/features/gantt',
  '/blog/why-board',
  '/pricing.html',
  '/wp-login.php',
  '/docs/start',
]

/** The buttons, with the elements around them. */
export const buttons: readonly [DemoButton, ...DemoButton[]] = [
  { text: 'See how it works', element: 'a', within: 'section.hero', weight: 8 },
  { text: 'Start for free', element: 'a', within: 'header.site', weight: 7 },
  { text: 'Play the tour', element: 'button', within: 'section.tour', weight: 4 },
  { text: 'Yearly', element: 'button', within: 'div.period', weight: 3 },
  { text: 'Accept', element: 'button', within: 'div.notice', weight: 3 },
]
interface DemoButton {
  text: string
  element: 'a' | 'button'
  within: string
  weight: number
}
