import type { NextPageContext, PageConfig } from 'next'
import Head from 'next/head'
import { StatusPage } from '#ui/page/StatusPage'
import { fallbackFor, frontPage } from '#ui/page/status-titles'

// Needs no scripts: a page from a file has no request's nonce, so its scripts would be blocked.
export const config: PageConfig = { unstable_runtimeJS: false }

/** Next shows this page where it has none of ours: for an address it cannot read, or a method it does not take. */
function FallbackPage({ statusCode }: { statusCode?: number }) {
  const fallback = fallbackFor(statusCode)

  return (
    <>
      <Head>
        <title>{fallback.title}</title>
      </Head>
      <StatusPage status={statusCode} {...fallback} link={frontPage} />
    </>
  )
}

FallbackPage.getInitialProps = ({ res, err }: NextPageContext) => ({
  statusCode: res?.statusCode ?? err?.statusCode,
})

export default FallbackPage
