import { describe, expect, test } from 'vitest'
import { aKit } from '#test/site/a-kit'
import type { FormState } from './protocol'

const textOf = ({ body }: { body: Uint8Array }): string => Buffer.from(body).toString()

/** The response of a route; fails for another answer. */
async function responseOf(called: ReturnType<Awaited<ReturnType<typeof aKit>>['call']>) {
  const outcome = await called
  if (!outcome.done || outcome.called.answer.kind !== 'response')
    throw new Error(`There is no response: ${JSON.stringify(outcome)}`)
  const { answer, revalidated } = outcome.called
  return { ...answer, headers: Object.fromEntries(answer.headers), text: textOf(answer), revalidated }
}

describe('a route', () => {
  const route = 'pages/orders/[id]/route.ts'
  const aRoute = (text: string) => aKit({ [route]: text })

  test('is a part of the build at the address of its folder', async () => {
    const { outcome } = await aKit({
      'pages/orders/[id]/route.ts': 'export const GET = () => Response.json({})',
      'pages/jobs.json/route.ts': 'export const GET = () => Response.json([])',
    })
    expect(outcome).toMatchObject({
      manifest: {
        pages: [],
        routes: [
          { address: '/jobs.json', file: 'pages/jobs.json/route.ts' },
          { address: '/orders/[id]', file: route },
        ],
      },
    })
  })

  test('gets a standard request with its parameters, and answers with a standard response', async () => {
    const { call } = await aRoute(`export async function POST(request, { params }) {
  const { count } = await request.json()
  return Response.json({ id: params.id, count, url: request.url, by: request.headers.get('x-by') },
    { status: 201, headers: { 'x-order': 'new' } })
}`)
    const request = { method: 'POST', headers: [['x-by', 'ana']] as const, body: '{"count":2}' }
    const answer = await responseOf(call(route, request, { params: { id: 'a' } }))
    expect(answer).toMatchObject({ status: 201, headers: { 'x-order': 'new' } })
    expect(JSON.parse(answer.text)).toEqual({ id: 'a', count: 2, url: 'http://site.test/a', by: 'ana' })
  })

  test.each([
    ['HEAD', { status: 200 }],
    ['OPTIONS', { status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } }],
    ['DELETE', { status: 405, headers: { allow: 'GET, HEAD, POST, OPTIONS' } }],
    ['constructor', { status: 405 }],
  ])('that has GET and POST answers %s', async (method, expected) => {
    const { call } = await aRoute(
      'export const GET = () => new Response("a")\nexport const POST = () => new Response("b")',
    )
    expect(await responseOf(call(route, { method }))).toMatchObject(expected)
  })

  test('says by `revalidate` how long browsers may keep what GET answers', async () => {
    const { call } = await aRoute('export const revalidate = 60\nexport const GET = () => new Response("a")')
    const { headers } = await responseOf(call(route))
    expect(headers['cache-control']).toBe('public, max-age=60')
  })

  test('revalidates tags and paths, redirects and is missing', async () => {
    const { call } =
      await aRoute(`import { notFound, redirect, revalidatePath, revalidateTag } from '@tilth/site'
export const POST = () => { revalidateTag('jobs'); revalidatePath('/jobs'); return new Response(null, { status: 204 }) }
export const GET = () => redirect('/elsewhere')
export const PUT = () => notFound()`)
    const { revalidated } = await responseOf(call(route, { method: 'POST' }))
    expect(revalidated).toEqual({ tags: ['jobs'], paths: ['/jobs'] })
    expect(await call(route)).toMatchObject({
      called: { answer: { kind: 'exit', exit: { status: 307, location: '/elsewhere' } } },
    })
    expect(await call(route, { method: 'PUT' })).toMatchObject({
      called: { answer: { exit: { status: 404 } } },
    })
  })

  test.each([
    ['export const GET = () => { throw new Error("no") }', { message: 'no', file: route, line: 1 }],
    ['export const GET = () => "text"', { message: `GET of ${route} has to return a Response.` }],
    [
      'export const GET = () => new Response(new Uint8Array(5_000_000))',
      { message: `${route} answers with more than 4 MB.` },
    ],
    [
      'export const GET = () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(9999)) }))',
      { message: `${route} answers with more than 4 MB.` },
    ],
    [
      'export const GET = () => new Response("a", { headers: { "x-long": "a".repeat(20_000) } })',
      { message: `${route} answers with headers of more than 16 kB.` },
    ],
    [
      'export const GET = () => new Response("a", { headers: { "x-a": "a\\r\\nset-cookie: sid=b" } })',
      { message: expect.stringContaining('invalid header value') },
    ],
  ])('that answers wrongly says so: %s', async (text, failure) => {
    const { call } = await aRoute(text)
    expect(await call(route)).toMatchObject({ done: false, failure })
  })

  test('with the address of a page is a mistake of the build, as is one of Tilth', async () => {
    const get = 'export const GET = () => new Response("a")'
    const { outcome } = await aKit({
      'pages/jobs.tsx': 'export default () => <p>jobs</p>',
      'pages/jobs/route.ts': get,
      'pages/api/jobs/route.ts': get,
      'pages/robots.txt/route.ts': get,
    })
    expect(outcome).toEqual({
      done: false,
      problems: [
        { file: 'pages/api/jobs/route.ts', message: expect.stringContaining('begin with “/api”') },
        {
          file: 'pages/jobs/route.ts',
          message: expect.stringContaining('the same address as pages/jobs.tsx'),
        },
        { file: 'pages/robots.txt/route.ts', message: expect.stringContaining('/robots.txt') },
      ],
    })
  })

  test('that never ends is stopped; a change is not tried twice, and what only reads is', async () => {
    const { call } = await aKit({
      'pages/endless/route.ts': 'export const POST = () => { for (;;); }',
      'pages/slow/route.ts': `let calls = 0
export const GET = async () => { calls += 1; await new Promise((go) => setTimeout(go, 500)); return new Response(String(calls)) }`,
    })
    const reading = call('pages/slow/route.ts')
    const blocked = await call('pages/endless/route.ts', { method: 'POST' })
    expect(blocked).toMatchObject({
      done: false,
      failure: { message: expect.stringContaining('never ends') },
    })
    expect(await responseOf(reading)).toMatchObject({ status: 200 })
  })
})

describe('a form', () => {
  const page = 'pages/news/index.tsx'
  const subscribe = `import { useActionState } from 'react'
import { redirect, notFound } from '@tilth/site'
export async function subscribe(before, form) {
  const email = String(form.get('email'))
  if (email === 'done@example.com') redirect('/thanks')
  if (email === 'gone@example.com') notFound()
  return { tries: (before?.tries ?? 0) + 1, email, problem: email.includes('@') ? '' : 'Write an address.' }
}
export async function loadSecret() { return 'secret' }
export default function News() {
  const [state, action] = useActionState(subscribe, { tries: 0 })
  return <form action={action}><input name="email" defaultValue={state.email} /><p>{state.tries} {state.problem}</p></form>
}`

  /** Sends the form as a browser without a script does: with its hidden fields. */
  function fieldsOf(html: string): [name: string, value: string][] {
    return Array.from(html.matchAll(/<input type="hidden"([^>]*)>/g), ([, attributes = '']) => [
      /name="([^"]*)"/.exec(attributes)?.[1] ?? '',
      (/value="([^"]*)"/.exec(attributes)?.[1] ?? '').replaceAll('&quot;', '"'),
    ])
  }

  const stateIn = (answer: unknown) => (answer as { state: FormState }).state

  async function aForm(files: Record<string, string>) {
    const kit = await aKit(files)
    const visit = { path: '/news', decisions: {}, payloads: {}, withheld: [] }
    const draw = async (formState?: FormState) => {
      const outcome = await kit.render(page, { visit, formState })
      return outcome.done ? outcome.rendered.html : JSON.stringify(outcome.failure)
    }
    const send = async (
      fields: readonly (readonly [string, string])[],
      type = 'application/x-www-form-urlencoded',
    ) => {
      const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
      const request = { method: 'POST', headers: [['content-type', type]] as const, body }
      const outcome = await kit.call(page, request, { kind: 'form', visit })
      return outcome.done ? outcome.called.answer : outcome
    }
    return { ...kit, draw, send }
  }

  test('calls the action of its page with the state before, and is drawn with the state after it', async () => {
    const { draw, send } = await aForm({ [page]: subscribe })
    const html = await draw()
    expect(html).toMatch(/<form action="\/news" encType="multipart\/form-data" method="POST">/)
    const first = await send([...fieldsOf(html), ['email', 'ana']])
    expect(first).toMatchObject({
      kind: 'state',
      state: { value: { tries: 1, email: 'ana', problem: 'Write an address.' } },
    })
    const again = await draw(stateIn(first))
    expect(again).toContain('value="ana"')
    expect(again).toMatch(/<p>1(?:<!-- -->)? (?:<!-- -->)?Write an address\.<\/p>/)
    expect(await send([...fieldsOf(again), ['email', 'ana@example.com']])).toMatchObject({
      state: { value: { tries: 2, problem: '' } },
    })
  })

  test('is drawn with its own state where another form of the page has the same action', async () => {
    const { draw, send } = await aForm({
      [page]: `${subscribe.replace('export default function News', 'function Form')}
export default () => <><Form /><Form /></>`,
    })
    const [, second = ''] = (await draw()).split('</form>')
    const sent = await send([...fieldsOf(second), ['email', 'ana']])
    const [first, after] = (await draw(stateIn(sent))).split('</form>')
    expect(first).not.toContain('value="ana"')
    expect(after).toContain('value="ana"')
  })

  test.each([
    ['done@example.com', { kind: 'exit', exit: { status: 307, location: '/thanks' } }],
    ['gone@example.com', { kind: 'exit', exit: { status: 404 } }],
  ])('of %s ends elsewhere', async (email, expected) => {
    const { draw, send } = await aForm({ [page]: subscribe })
    expect(await send([...fieldsOf(await draw()), ['email', email]])).toEqual(expected)
  })

  test('calls what a page has shown, and no other function of it', async () => {
    const { draw, send } = await aForm({ [page]: subscribe })
    await draw()
    for (const name of ['', 'loadSecret', 'pages/news/index.tsx loadSecret', 'constructor'])
      expect(await send([[`tilth-action:${name}`, '']])).toEqual({ kind: 'no-form' })
    expect(await send([['email', 'a']])).toEqual({ kind: 'no-form' })
    expect(await send([['email', 'a']], 'multipart/form-data; boundary=x')).toEqual({ kind: 'no-form' })
  })

  test("uses a file that begins with 'use server', and the button that was pressed", async () => {
    const { draw, send } = await aForm({
      'lib/actions.ts': `'use server'
const calls = []
export async function keep(form) { calls.push('keep ' + [...form.keys()]); throw new Error(calls.join()) }
export async function drop(form) { calls.push('drop ' + [...form.keys()]); throw new Error(calls.join()) }`,
      [page]: `import { keep, drop } from '../../lib/actions'
export default () => <form action={keep}><button name="which">keep</button><button formAction={drop}>drop</button></form>`,
    })
    const html = await draw()
    expect(await send([...fieldsOf(html), ['which', '']])).toMatchObject({
      failure: { message: 'keep which' },
    })
    const button =
      /<button name="(tilth-action:[^"]+)"/.exec(html)?.[1] ??
      /name="(tilth-action:[^"]+)"[^>]*>drop/.exec(html)?.[1] ??
      ''
    expect(await send([...fieldsOf(html), [button, '']])).toMatchObject({
      failure: { message: 'keep which,drop ', file: 'lib/actions.ts', line: 4 },
    })
  })

  test.each([
    'const inner = async () => {}\nexport default () => <form action={inner} />',
    'export const sync = () => {}\nexport default () => <form action={sync} />',
  ])('with a function that cannot be its action says which can: %s', async (text) => {
    const { draw } = await aForm({ [page]: text })
    expect(await draw()).toContain('has to be an async function that its page exports')
  })

  test("leaves a file that begins with 'use server' out of scripts for browsers", async () => {
    const { outcome } = await aKit({
      'lib/actions.ts': "'use server'\nexport async function keep() {}",
      'components/Form.tsx':
        "'use client'\nimport { keep } from '../lib/actions'\nexport default () => <form action={keep} />",
      'pages/a.tsx': "import Form from '../components/Form'\nexport default () => <Form />",
    })
    expect(outcome).toMatchObject({
      done: false,
      problems: [
        { file: 'lib/actions.ts', message: expect.stringContaining('no client component can import it') },
      ],
    })
  })
})
