import { describe, expect, test } from 'vitest'
import { noMarkup, readMarkup } from './page-markup'

const key = 'phc_of_the_shop'

test.each<[hasTag: boolean, head: string]>([
  [true, `<script defer src="https://tilth.example/_tilth/script.js" data-project="${key}"></script>`],
  [true, `<script>posthog.init('${key}', { api_host: '/t' })</script>`],
  [false, `<script defer src="https://tilth.example/_tilth/script.js" data-project="phc_other"></script>`],
  [false, `<!-- <script data-project="${key}"></script> -->`],
  [false, `<p>${key}</p>`],
])('%s: %s', (hasTag, head) => {
  expect(readMarkup(`<!doctype html><head>${head}</head>`, key).hasTag).toBe(hasTag)
})

test.each([
  ['next', '<script src="/_next/static/chunks/main.js"></script>'],
  ['wordpress', '<meta name="generator" content="WordPress 6.7">'],
  ['wordpress', '<link rel="stylesheet" href="/wp-content/themes/a/style.css">'],
  ['shopify', '<script src="//cdn.shopify.com/s/a.js"></script>'],
  ['webflow', '<meta content="Webflow" name="generator">'],
  ['ghost', '<meta name="Generator" content="Ghost 5.1">'],
  [undefined, '<p>We moved from WordPress to wp-content of our own</p>'],
  [undefined, '<script src="https://evil.example/?cdn.shopify.com/"></script>'],
])('%s is recognised by %s', (platform, head) => {
  expect(readMarkup(`<!doctype html>${head}`, key).platform).toBe(platform)
})

describe('buttons', () => {
  const buttonsOf = (body: string) => readMarkup(`<!doctype html><body>${body}`, key).buttons

  test('are those that a visitor reads, each once', () => {
    expect(
      buttonsOf(`
        <button>Start <b>free</b></button><button>Start
        free</button>
        <a class="btn-primary" href="/buy">Buy now</a><a role="button">Sign up</a><a href="/about">About</a>
        <input type="submit" value="Send"><input value="Text">
        <button hidden>Gone</button><div aria-hidden="true"><button>Unread</button></div><button>×</button>`),
    ).toEqual(['Start free', 'Buy now', 'Sign up', 'Send'])
  })

  test('come without characters that disguise what is read', () => {
    expect(buttonsOf('<button>&#x202E;eerf&#x200B; trats\u0000</button>')).toEqual(['eerf trats'])
  })

  test.each([
    ['a name that is too long', `<button>${'a'.repeat(41)}</button>`, []],
    ['many', Array.from({ length: 50 }, (_, index) => `<button>Button ${index}</button>`).join(''), 5],
  ])('%s is left out', (_what, body, expected) => {
    expect(Array.isArray(expected) ? buttonsOf(body) : buttonsOf(body).length).toEqual(expected)
  })
})

test('a page that is nested to harm its reader says nothing', () => {
  expect(readMarkup('<div>'.repeat(100_000), key)).toEqual(noMarkup)
})
