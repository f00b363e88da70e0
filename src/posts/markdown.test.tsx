import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '#test/running/growth'
import { blockList, isDynamic } from './blocks'
import { excerptOf, htmlOf, readMarkdown, readMarkdownOnce } from './markdown'
import { PostBody } from './PostBody'

/** Texts that were read lately are not read again. */
const drawnOnce = (text: string) => renderToStaticMarkup(<PostBody document={readMarkdownOnce(text)} />)

const drawn = (text: string) =>
  renderToStaticMarkup(<PostBody document={readMarkdown(text)} />)
    .replace(/^(?:<link[^>]*>)*<div class="prose" dir="auto">/, '')
    .replace(/<\/div>$/, '')

describe('Markdown', () => {
  test.each([
    // written, drawn
    ['*a* **b** `c` ~~d~~', '<p><em>a</em> <strong>b</strong> <code>c</code> <del>d</del></p>'],
    ['https://a.example', '<p><a href="https://a.example">https://a.example</a></p>'],
    ['[a][b]\n\n[b]: /x', '<p><a href="/x">a</a></p>'],
    ['At 10:30 :smile: Note:this', '<p>At 10:30 :smile: Note:this</p>'],
    ['a  \nb', '<p>a<br/>\nb</p>'],
    ['> a\n\n---', '<blockquote>\n<p>a</p>\n</blockquote>\n<hr/>'],
    ['3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    ['# A\n\n## B', /^<h2 id="at-a">.*<\/h2>\n<h2 id="at-b"><a href="#at-b" class="anchor">B<\/a><\/h2>$/],
    [
      '- [x] a\n- [ ] b',
      /<input type="checkbox" disabled="" aria-label="Done" checked=""\/> a.*aria-label="To do"\/> b/s,
    ],
    ['|a|b|\n|:-|-:|\n|1|2|', /^<div class="table" tabindex="0".*<td class="align-right">2<\/td>/s],
    ['    code', '<pre class="code" tabindex="0"><code>code</code></pre>'],
  ])('%j', (text, html) => {
    if (typeof html === 'string') expect(drawn(text)).toBe(html)
    else expect(drawn(text)).toMatch(html)
  })

  test('footnotes lead there and back, and keep their names apart from headings and other posts', () => {
    const text = 'One[^a] two[^b] again[^a]\n\n[^a]: First\n\n[^b]: Second\n\n## fn a'
    const html = drawn(text)
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    const links = [...html.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id)

    expect(new Set(ids).size).toBe(ids.length)
    expect(links.filter((link) => !ids.includes(link))).toEqual([])
    expect(html.match(/data-footnote-backref/g)).toHaveLength(3 * 2)
    const other = readMarkdown(text, { idPrefix: '42-' }).outline.map(({ id }) => id)
    expect(ids).not.toContain(other[0])
  })

  test('headings of one name have addresses of their own', () => {
    expect(readMarkdown('## A\n\n## A\n\n### Über *uns*').outline).toEqual([
      { level: 2, text: 'A', id: 'at-a' },
      { level: 2, text: 'A', id: 'at-a-1' },
      { level: 3, text: 'Über uns', id: 'at-über-uns' },
    ])
  })

  test('what is named in one part of a long text is found from all others', () => {
    const filler = 'Words and words.\n\n'.repeat(2000)
    const html = drawn(
      `[first][far] note[^n]\n\n${filler}\n\n[^n]: The note\n\n[FAR]:\n  /there\n  "Title"\n\n${filler}[last][far]`,
    )

    expect(html.match(/<a href="\/there"/g)).toHaveLength(2)
    expect(html.match(/<li id="note-fn-n">/g)).toHaveLength(1)
    expect(html).not.toContain('<hr')
  })

  test.each([
    ['a fence in a list', '- a\n\n  ```\n  # no\n\n  ## heading\n  ```\n\n- b'],
    ['a fence with blank lines', '```\n# a\n\n# b\n\n~~~\n\n# c\n```'],
    ['a fence of more ticks', '````\n```\n\n# a\n```\n\n# b\n````'],
    ['a list of paragraphs', '1. a\n\n   b\n\n2. c\n\n       code'],
    ['a list that ends', '- a\n\nb\n\n- c\n\n  ```\n  open\n\nafter\n\n# heading'],
    ['a block with a fence', ':::note\n\n# a\n\n```\nx\n\ny\n```\n\n:::\n\n# after'],
    ['indented code', 'a\n\n    b\n\n    c\n\nd'],
    ['a footnote of paragraphs', '[^a]\n\n[^a]: one\n\n    two\n\nthree'],
  ])('reads %s as the parser would, wherever it stands in a long text', (_, text) => {
    const filler = `${'Some words. '.repeat(100)}\n\n`
    const before = filler.repeat(5)
    const alone = drawn(text)
    const among = drawn(`${before}${text}\n\n${before}`)
    const [body = '', notes = ''] = alone.split('<section')

    expect(among).toContain(body.trim())
    expect(among).toContain(notes)
  })
})

describe('code', () => {
  test('is told apart by classes, and has no style of its own', () => {
    const html = drawn('```ts title="a.ts" {2,4-5}\nconst a = 1\n// two\n\nb\nc\n```')

    expect(html).toContain('<figcaption>a.ts</figcaption>')
    expect(html).toContain('<span class="code-keyword">const</span>')
    expect([...html.matchAll(/<span class="line( marked)?">/g)].map(([, marked]) => Boolean(marked))).toEqual(
      [false, true, false, true, true],
    )
    expect(html).not.toContain('style=')
  })

  test('can be copied as it was written', () => {
    const code = 'if (a < b) {\n\n  return `x${1}`\n}\n'
    const html = drawn(`\`\`\`js {1}\n${code}\`\`\``)
    const [, inside = ''] = /<code>(.*)<\/code>/s.exec(html) ?? []

    expect(inside.replaceAll(/<[^>]*>/g, '').replaceAll('&lt;', '<')).toBe(code.trimEnd())
  })

  test.each(['', 'nosuch', '__proto__', 'constructor', '"><b>', 'TS'])(
    'in the language %j is shown',
    (language) => {
      expect(drawn(`\`\`\`${language}\nlet x\n\`\`\``)).toMatch(/let.* x/)
    },
  )
})

describe('pictures', () => {
  const ours = '/_tilth/images/a.webp'

  test('are offered in sizes; all but the first wait until they are near', () => {
    const html = drawn(`![One](${ours}#1200x800)\n\n![Two](${ours})`)
    const [first = '', second = ''] = html.match(/<img[^>]*>/g) ?? []

    expect(first).toContain(`srcSet="${ours}?w=480 480w, ${ours}?w=960 960w, ${ours} 1200w"`)
    expect(first).toContain('width="1200" height="800"')
    expect(first).not.toContain('loading')
    expect(second).toContain('loading="lazy"')
    expect(second).toContain('alt="Two"')
  })

  test('with a title stand above it as a caption', () => {
    expect(drawn(`![A](${ours} "What it is")`)).toMatch(
      /^<figure><img.*<figcaption>What it is<\/figcaption><\/figure>$/,
    )
  })

  test('know their size from their store', () => {
    const { pictures } = readMarkdown(`![A](${ours})`, { pictureAt: () => ({ width: 7, height: 5 }) })
    expect(pictures).toEqual([{ address: ours, alt: 'A', width: 7, height: 5 }])
  })

  test.each([
    'https://evil.example/a.png',
    '//evil.example/a.png',
    'data:image/png;base64,AAAA',
    'HTTP://x/y.png',
  ])('of elsewhere are links, so that no one is told who reads: %s', (address) =>
    expect(drawn(`![What it shows](${address})`)).not.toContain('<img'),
  )
})

describe('blocks', () => {
  test.each(blockList)('$name is drawn from its example', ({ name, example, holds }) => {
    expect(example.startsWith(holds ? `:::${name}` : `::${name}`)).toBe(true)
    const html = drawn(example)

    expect(html).not.toContain(':::')
    expect(html).not.toContain(`::${name}`)
    // the page has nothing for those, and they leave no trace
    expect(html === '').toBe(isDynamic(name))
  })

  test.each(blockList.filter(({ name }) => isDynamic(name)))(
    '$name is drawn by the page, with what was written',
    ({ name, example }) => {
      const Block = ({
        attributes,
        children,
      }: {
        attributes: Readonly<Record<string, string>>
        children?: React.ReactNode
      }) => (
        <output>
          {Object.keys(attributes).join()}
          {children}
        </output>
      )
      const html = renderToStaticMarkup(
        <PostBody document={readMarkdown(example)} blocks={{ [name]: Block }} />,
      )
      const written = [...(example.split('\n')[0] ?? '').matchAll(/(\w+)=/g)].map(
        ([, attribute]) => attribute,
      )

      expect(html).toContain(`<output>${written.join()}`)
      expect(htmlOf(readMarkdown(example), 'https://a.example')).toBe('')
    },
  )

  test('no one knows are shown as they were written, with what they hold', () => {
    expect(drawn(':::nosuch{a="<b>"}\n**x**\n:::')).toBe(
      '<p>:::nosuch{a=&quot;&lt;b&gt;&quot;}</p>\n<p><strong>x</strong></p>',
    )
  })

  test('a video is a link until it is pressed', () => {
    const html = drawn('::embed{address="https://youtu.be/aqz-KE-bpKQ" title="Bunny"}')
    expect(html).toContain('href="https://www.youtube.com/watch?v=aqz-KE-bpKQ"')
    expect(html).toContain('data-embed="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1"')
    expect(html).not.toMatch(/<(?:iframe|img|script)/)
  })

  test.each([
    'https://evil.example/watch?v=aqz-KE-bpKQ',
    'javascript:alert(1)',
    'https://www.youtube.com/watch?v="><b>',
  ])('a video of %s is no video', (address) =>
    expect(drawn(`::embed{address='${address}'}`)).not.toContain('data-embed'),
  )

  test('a hero has buttons, prices have one that stands out, questions are folded', () => {
    expect(drawn(':::hero\n# A\nb\n\n[c](/c) [d](/d)\n:::')).toContain(
      '<p class="buttons"><a href="/c">c</a> <a href="/d">d</a></p>',
    )
    expect(drawn(':::prices{best="B"}\n### A\nx\n### B\ny\n:::')).toMatch(
      /<div class="price">.*<div class="price best">/s,
    )
    expect(drawn(':::questions\n### Q?\nA.\n:::')).toBe(
      '<div class="questions"><details><summary>Q?</summary><p>A.</p></details></div>',
    )
  })
})

test('an address on a line of its own is an embed, with its site named', () => {
  const address = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ'
  const player = 'data-embed="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1"'
  const facade = drawn(address)
  expect(facade).toContain(player)
  expect(facade).toContain('>YouTube</span> <span class="embed-from">youtube.com/watch?v=aqz-KE-bpKQ</span>')
  expect(drawn(`<${address}>`)).toContain(player)
  expect(drawn(`:::figure{caption="Bunny"}\n${address}\n:::`)).toContain(player)
  const elsewhere = [
    `[Bunny](${address})`,
    `See ${address}`,
    `- ${address}`,
    `> ${address}`,
    'https://example.com/watch?v=aqz-KE-bpKQ',
  ]
  for (const text of elsewhere) expect(drawn(text)).not.toContain('data-embed')
})

describe('what is hostile', () => {
  const { html_text: vectors } = JSON.parse(readFileSync('test/vectors/security-inputs.json', 'utf8'))
  const payloads: string[] = [
    ...vectors.payloads,
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe src="https://evil.example"></iframe>',
    '<!-- --><b>x</b>',
    '<form><input name=cookie></form>',
    '<p id="location" class="x" style="color:red">x</p>',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#10;script:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:x)',
    '![x](javascript:alert(1))',
    '![x" onerror="alert(1)](/a.png)',
    '[x](/a "onmouseover=alert(1)")',
    '<javascript:alert(1)>',
    '[x][y]\n\n[y]: javascript:alert(1)',
    ':::note{title="<b>x</b>" onclick="alert(1)" style="x" id="location" class="y"}\n<i>x</i>\n:::',
    '::latest{count="<b>" onclick="x"}',
    '```"><script>alert(1)</script>\nx\n```',
    '```ts title="<b>x</b>"\n<b>x</b>\n```',
    '```mermaid title="<b>x</b>"\n<b>x</b>\n```',
    '## <b>x</b> {#location .x}',
    '[^<b>]\n\n[^<b>]: x',
    '|<b>a|\n|-|\n|<i>b|',
    '\u0000<b\u0000>',
  ]

  const known =
    /^(?:p|a|img|code|pre|span|div|aside|h2|sup|section|ol|li|table|thead|tbody|tr|th|td|figure|figcaption)$/

  test.each(payloads)('%j brings no element and no attribute', (payload) => {
    for (const html of [drawn(payload), htmlOf(readMarkdown(payload), 'https://a.example')]) {
      const tags = [...html.matchAll(/<([a-z][^\s/>]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/gi)]
      expect(tags.map(([, name]) => name).filter((name = '') => !known.test(name))).toEqual([])
      const attributes = tags.flatMap(([, , text = '']) => [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)])
      expect(
        attributes.map(([, name = '']) => name).filter((name) => /^(?:on|style|name|srcdoc)/.test(name)),
      ).toEqual([])
      const ids = attributes.flatMap(([, name, value]) => (name === 'id' ? [value] : []))
      expect(ids.filter((id = '') => !/^(?:at|note)-/.test(id))).toEqual([])
      const leads = attributes.flatMap(([, name, value = '']) =>
        name === 'href' || name === 'src' ? [value] : [],
      )
      expect(leads.filter((lead) => !/^(?:https?:|mailto:|\/|#|%)/.test(lead))).toEqual([])
      // text is all that was not taken for an element, and every `<` of a text is escaped
      expect(html.replaceAll(/<\/?[a-z][^\s/>]*(?:\s+[\w-]+(?:="[^"]*")?)*\s*\/?>/gi, '')).not.toContain('<')
    }
  })
})

describe('what no one writes by hand', () => {
  /** Texts of about as many letters as are asked for, but for those that take longest. */
  const texts: Record<string, (length: number) => string> = {
    'brackets that open': (length) => '['.repeat(length),
    'brackets that close': (length) => ']'.repeat(length),
    'brackets in brackets': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
    'quotes in quotes': (length) => `${'>'.repeat(length)}a`,
    'lists in lists': (length) => `${'- '.repeat(length / 2)}a`,
    'lists ever further in': (length) =>
      Array.from({ length: Math.sqrt(length) }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
    'stars that never close': (length) => '*a_ '.repeat(length / 4),
    'emphasis in emphasis': (length) => `${'**a '.repeat(length / 8)}${'a** '.repeat(length / 8)}`,
    // as much of it as is parsed in one paragraph
    'paragraphs of emphasis in emphasis': (length) =>
      `${'**a '.repeat(340)}${'a** '.repeat(340)}\n\n`.repeat(Math.ceil(length / 2000)),
    'ticks of every length': (length) =>
      Array.from({ length: Math.sqrt(2 * length) }, (_, size) => `${'`'.repeat(size)}a`).join(''),
    'comments that never end': (length) => '<!--'.repeat(length / 4),
    'a paragraph of many lines': (length) => 'a\n'.repeat(length / 2),
    'a quote of many lines': (length) => '> a\n'.repeat(length / 4),
    'footnotes pointed at from everywhere': (length) => `${'[^a]\n\n'.repeat(length / 12)}[^a]: x`,
    entities: (length) => '&amp;'.repeat(length / 10),
  }

  test.each(Object.entries(texts))('%s take no longer than they are', async (_name, textOf) => {
    await expectLinear((length) => {
      const text = textOf(length)
      return () => expect(drawnOnce(text).length).toBeGreaterThan(0)
    }, 10_000)
  })

  test('a long post takes no longer than it is', async () => {
    const sentence =
      'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod *tempor* incididunt ut labore. '
    const part = `## A part of it\n\n${`${sentence.repeat(8)}\n\n`.repeat(4)}- a [link](/a)\n- another\n\n`
    await expectLinear((length) => {
      const post = part.repeat(Math.ceil(length / part.length))
      return () => expect(readMarkdownOnce(post).words).toBeGreaterThan(length / 10)
    }, 100_000)
  })

  test('a text that was read lately is not read again', () => {
    expect(readMarkdown('## Once')).toBe(readMarkdown('## Once'))
  })
})

describe('what is known of a post', () => {
  test('its words, its minutes and how it begins', () => {
    const { words, minutes, text, opening } = readMarkdown(
      `## Title\n\nOne *two* three[^1].\n\n${'word '.repeat(440)}\n\n[^1]: Note`,
    )
    expect({ minutes, starts: text.slice(0, 5) }).toEqual({ minutes: 2, starts: 'Title' })
    expect(words).toBeGreaterThan(440)
    expect(opening).toMatch(/^One two three\. word .*word…$/)
    expect(opening.length).toBeLessThanOrEqual(201)
  })

  test.each([
    ['its own', { excerpt: 'Said', body: 'Body' }, 'Said'],
    ['its beginning', { excerpt: '', body: '# T\n\nBody' }, 'Body'],
    ['nothing', { excerpt: '', body: '' }, ''],
    ['no tags', { excerpt: '', body: 'One<br>two <b class="x">three</b><!-- four -->' }, 'One two three'],
    ['less than and more than', { excerpt: '', body: 'a < b > c' }, 'a < b > c'],
    ['no buttons', { excerpt: '', body: 'Said.\n\n[Buy](/buy) [Read](/read)' }, 'Said.'],
    [
      'the beginning of a very long one',
      { excerpt: '', body: `Start\n\n${'x\n\n'.repeat(100_000)}` },
      /^Start x/,
    ],
  ])('an excerpt is %s', (_, post, text) =>
    expect(excerptOf(post)).toMatch(text instanceof RegExp ? text : new RegExp(`^${text}$`)),
  )
})

test('elsewhere, addresses are whole and nothing depends on us', () => {
  const html = htmlOf(
    readMarkdown('## A\n\n[b](/b) [c](#at-a) [d](d)\n\n![e](/_tilth/images/e.webp)\n\n```ts\nlet a\n```'),
    'https://a.example',
  )
  expect(html).toBe(
    '<h2 id="at-a">A</h2>\n<p><a href="https://a.example/b">b</a> <a href="#at-a">c</a> <a href="https://a.example/d">d</a></p>\n' +
      '<p><img src="https://a.example/_tilth/images/e.webp" alt="e"></p>\n<pre><code>let a</code></pre>',
  )
})
