import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aPost } from '#test/posts'
import { diagramPath } from '../diagrams'
import { Drawings } from './drawings'
import { SiteDiagrams } from './site-diagrams'

const svg = '<svg width="30" height="40"></svg>'
const drawing = { done: true, svg, width: 30, height: 40 } as const
const diagramOf = (code: string) => ({ code, language: 'mermaid', address: diagramPath(code, 'mermaid') })

async function someDrawings() {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-drawings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const requests: string[] = []
  const draw = (code: string) => {
    requests.push(code)
    return Promise.resolve(code === 'busy' ? undefined : drawing)
  }
  const open = () => Drawings.open({ folder, draw, onTrouble: (problem) => expect(problem).toBeUndefined() })
  return { folder, requests, open, drawings: await open() }
}

test('a diagram is drawn once, also after a restart and for requests at the same time', async () => {
  const { requests, open, drawings } = await someDrawings()
  const diagram = diagramOf('a-->b')
  const both = await Promise.all([drawings.drawingOf(diagram), drawings.drawingOf(diagram)])
  expect(both).toEqual([drawing, drawing])
  expect(await (await open()).drawingOf(diagram)).toEqual(drawing)
  expect(requests).toEqual(['a-->b'])
})

test('drawings of drafts are not kept on disk', async () => {
  const { folder, drawings } = await someDrawings()
  expect(await drawings.drawingOf(diagramOf('a'), { isDraft: true })).toEqual(drawing)
  expect(readdirSync(folder)).toEqual([])
})

test('a diagram that could not be drawn now is tried again', async () => {
  const { requests, drawings } = await someDrawings()
  await drawings.drawingOf(diagramOf('busy'))
  expect(await drawings.drawingOf(diagramOf('busy'))).toBeUndefined()
  expect(requests).toEqual(['busy', 'busy'])
})

test('addresses are found in published posts, each of which is read once', () => {
  let readings = 0
  const post = aPost({ id: '1' })
  Object.defineProperty(post, 'body', { get: () => (readings++, '```mermaid\na-->b\n```') })
  const published = {
    everything: () => [post],
    posts: () => [post],
    pages: () => [],
    projectIds: () => [1],
    onChange: () => () => {},
  }
  const drawings = { prepare: () => Promise.resolve() }
  const diagrams = new SiteDiagrams({ published, drawings, onTrouble: () => {} })
  const found = diagrams.find(1, diagramOf('a-->b').address, new Date())
  expect(found?.diagram.code).toBe('a-->b')
  const readingsOfOnce = readings
  expect(diagrams.find(1, diagramOf('unknown').address, new Date())).toBeUndefined()
  expect(readings).toBe(readingsOfOnce)
})
