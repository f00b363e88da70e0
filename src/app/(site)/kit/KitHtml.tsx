import { createElement, Fragment, type ReactNode } from 'react'
import { isDynamic } from '#posts/blocks'
import type { KitHole, RenderedKit } from '#site-kit/protocol'
import { liveBlocks } from '../live-blocks'
import { currentManifest } from './render-kit'

interface KitHtmlProps {
  rendered: RenderedKit
  /** The parts that Tilth renders itself, by name. */
  parts?: Readonly<Record<string, ReactNode>>
}

/** HTML of the site folder, and what its holes are filled with: the front puts the two together. */
export function KitHtml({ rendered: { html, holes }, parts = {} }: KitHtmlProps) {
  return (
    <>
      {scriptsOf(html).map((address) => (
        <link key={address} rel="modulepreload" href={address} />
      ))}
      <RawHtml html={html} />
      {holes
        .filter(isUsedIn(html, holes))
        .map((hole) =>
          createElement('tilth-fill', { key: hole.id, 'data-id': hole.id }, contentOf(hole, parts)),
        )}
    </>
  )
}

/** A layout may leave a part out, which is not rendered then. */
const isUsedIn = (html: string, holes: readonly KitHole[]) => {
  const written = [html, ...holes.map((hole) => hole.html)]
  return ({ id }: KitHole): boolean => written.some((text) => text.includes(`<tilth-hole data-id="${id}">`))
}

function contentOf(
  { name, attributes, html }: KitHole,
  parts: NonNullable<KitHtmlProps['parts']>,
): ReactNode {
  if (Object.hasOwn(parts, name)) return parts[name]
  const Block = isDynamic(name) ? liveBlocks[name] : undefined
  return Block ? <Block attributes={attributes}>{html && <RawHtml html={html} />}</Block> : <Fragment />
}

/** The process that renders the site folder has written it with React. */
const RawHtml = ({ html }: { html: string }) =>
  // oxlint-disable-next-line react/no-danger -- React has escaped it in the renderer
  createElement('tilth-kit', { dangerouslySetInnerHTML: { __html: html } })

/** The scripts of the islands and those they load, which can be fetched before the site's own script asks for them. */
function scriptsOf(html: string): string[] {
  const { scripts = {} } = currentManifest() ?? {}
  const modules = html.matchAll(/ data-module="(\/_tilth\/site\/[\w.-]+)"/g)
  return [
    ...new Set(Array.from(modules, ([, address = '']) => [address, ...(scripts[address] ?? [])]).flat()),
  ]
}
