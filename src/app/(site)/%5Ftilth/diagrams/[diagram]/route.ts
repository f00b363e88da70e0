import { codePicture } from '#posts/diagrams'
import { getDiagrams } from '#studio/product'
import { notFoundResponse } from '#app/(site)/responses'
import { openSite } from '#app/(site)/open-site'

export const dynamic = 'force-dynamic'

interface DiagramRequest {
  params: Promise<{ diagram: string }>
}

const yearSeconds = 365 * 24 * 60 * 60

/** A diagram of a post that everybody may read, drawn. Its address is made of its code: it never changes. */
export async function GET(_request: Request, { params }: DiagramRequest): Promise<Response> {
  const address = `/_tilth/diagrams/${(await params).diagram}`
  const { site, published, now } = openSite()
  const { drawings, published: diagrams } = getDiagrams()
  const found = diagrams.find(site.projectId, address, now)
  if (!found) {
    // until a text changes, there is none
    published.note(site.projectId, 'posts', now)
    published.note(site.projectId, 'pages', now)
    return notFoundResponse()
  }
  published.noteShown([found.post])
  const drawing = await drawings.drawingOf(found.diagram)
  if (!drawing)
    return new Response('Too many diagrams wait.\n', { status: 503, headers: { 'retry-after': '5' } })
  // pages show the code of a diagram with a mistake; feeds know its address only
  const svg = drawing.done ? drawing.svg : codePicture(found.diagram.code, drawing.message)
  return new Response(svg, {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': drawing.done ? `public, max-age=${yearSeconds}, immutable` : 'no-store',
    },
  })
}
