import type { GetServerSideProps, PageConfig } from 'next'
import FallbackPage from '#pages/_error'

export const config: PageConfig = { unstable_runtimeJS: false }

export default function Teapot() {
  return <FallbackPage statusCode={418} />
}

export const getServerSideProps: GetServerSideProps = async ({ res }) => {
  res.statusCode = 418
  return { props: {} }
}
