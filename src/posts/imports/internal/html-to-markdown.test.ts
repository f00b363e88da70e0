import { expect, test } from 'vitest'
import { readMarkdown } from '../../markdown'
import { convertHtml } from './html-to-markdown'

const convert = (html: string, origin?: string) => {
  const converted = convertHtml(html, origin)
  if (!converted) throw new Error('It was not converted.')
  return converted
}

test.each([
  ['<p>Hello <strong>you</strong>, <em>there</em></p>', 'Hello **you**, _there_'],
  ['<h2 id="a">Title</h2><p>a<br>b</p>', '## Title\n\na\\\nb'],
  ['<ul><li>One</li><li>Two</li></ul>', '- One\n- Two'],
  ['<blockquote><p>Said</p></blockquote><hr>', '> Said\n\n---'],
  ['<p><a href="/about" title="t">Us</a></p>', '[Us](/about "t")'],
  ['<pre><code class="language-js">let a = 1\n</code></pre>', '```js\nlet a = 1\n```'],
  ['<table><tr><th>A</th></tr><tr><td>1</td></tr></table>', '| A |\n| - |\n| 1 |'],
  ['<p><del>old</del></p>', '~~old~~'],
  ['<p>At 10:30 say :yes: and a::b</p>', 'At 10:30 say :yes: and a::b'],
  ['<p>&lt;script&gt; 2 * 3 * 4</p>', '\\<script> 2 \\* 3 \\* 4'],
])('%s', (html, markdown) => expect(convert(html).markdown()).toBe(markdown))

test('a picture with a caption is a figure, and its address is complete', () => {
  const html =
    '<figure><a href="x"><img src="/a.png" alt="A"></a><figcaption>The <b>harbour</b></figcaption></figure>'
  const { markdown, pictures } = convert(html, 'https://old.example')
  expect(pictures).toEqual(['https://old.example/a.png'])
  expect(markdown()).toBe(':::figure{caption="The harbour"}\n[![A](https://old.example/a.png)](x)\n:::')
  const local = new Map([['https://old.example/a.png', '/_tilth/images/b.webp']])
  expect(markdown(local)).toContain('![A](/_tilth/images/b.webp)')
})

test('pictures that load late are found', () => {
  const html = '<img src="data:image/gif;base64,AA" data-src="https://old.example/a.png">'
  expect(convert(html).pictures).toEqual(['https://old.example/a.png'])
})

test('videos are embeds, and other pages are links', () => {
  const html =
    '<iframe src="//www.youtube.com/embed/aqz-KE-bpKQ?rel=0" title="Bunny"></iframe>' +
    '<iframe src="https://maps.example/x"></iframe>'
  const { markdown, dropped } = convert(html)
  expect(markdown()).toBe(
    '::embed{address="https://www.youtube.com/watch?v=aqz-KE-bpKQ" title="Bunny"}\n\n' +
      '<https://maps.example/x>',
  )
  expect([...dropped]).toEqual([['embedded page', 1]])
  expect(readMarkdown(markdown()).embeds).toHaveLength(1)
})

test('what cannot be kept is named', () => {
  const html =
    '<script>alert(1)</script><script>2</script><form><p>Name</p><input></form><svg><text>x</text></svg><!-- c -->'
  const { markdown, dropped } = convert(html)
  expect(markdown()).toBe('Name')
  expect(Object.fromEntries(dropped)).toEqual({ script: 2, form: 1, 'form field': 1, drawing: 1 })
})

test('a text that looks like Markdown or a block stays a text', () => {
  const text = ':::note\n# not a title\n* star\n::embed{address="x"}'
  const html = text
    .split('\n')
    .map((line) => `<p>${line}</p>`)
    .join('')
  expect(
    readMarkdown(convert(html).markdown())
      .text.split(/\s*\n\s*/)
      .join('\n'),
  ).toContain(':::note')
  expect(readMarkdown(convert(html).markdown()).outline).toEqual([])
  expect(readMarkdown(convert(html).markdown()).embeds).toEqual([])
})

test.each([
  ['deeply nested', '<div>'.repeat(100_000)],
  ['enormous', `<p>${'x'.repeat(5_000_001)}</p>`],
])('a %s text is refused', (_what, html) => expect(convertHtml(html, undefined)).toBeUndefined())
