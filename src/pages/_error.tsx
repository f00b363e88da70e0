import type { NextPageContext, PageConfig } from 'next'
import Head from 'next/head'
import { StatusPage } from '../ui/StatusPage'
import { fallbackFor, frontPage } from '../ui/status-titles'

// Words and a link need no script. So none is missing when the page comes from a file, which knows no request's nonce.
export const config: PageConfig = { unstable_runtimeJS: false }

/** What Next shows where there is no page of ours to show: an address it cannot read, a method it does not take. */
function FallbackPage({ statusCode }: { statusCode?: number }) {
  const fallback = fallbackFor(statusCode)

  return (
    <>
      <Head>
        <title>{fallback.title}</title>
      </Head>
      <StatusPage status={statusCode} {...fallback} wayOn={frontPage} />
    </>
  )
}

FallbackPage.getInitialProps = ({ res, err }: NextPageContext) => ({
  statusCode: res?.statusCode ?? err?.statusCode,
})

export default FallbackPage
