import { NextResponse } from 'next/server'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { currentViewer, forgetSession } from '#studio/viewer'

/** Ends this browser's session and has the browser drop what it kept of our pages. */
export async function POST(): Promise<NextResponse> {
  const viewer = await currentViewer()
  if (viewer) await getProduct().signIn.sessions.end(viewer)
  await forgetSession()
  return new NextResponse(null, {
    status: 303,
    headers: {
      location: paths.signIn(),
      'clear-site-data': '"cache", "storage"',
      'cache-control': 'no-store',
    },
  })
}
