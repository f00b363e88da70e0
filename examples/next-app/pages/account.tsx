import { getPageVisit } from '@tilth/next/pages'
import { useFlag } from '@tilth/react'
import Link from 'next/link'
import type { GetServerSidePropsContext, InferGetServerSidePropsType } from 'next'

export async function getServerSideProps({ req }: GetServerSidePropsContext) {
  const visit = await getPageVisit(req)
  return { props: { tilth: visit.props, headline: visit.flag('headline') } }
}

export default function Account({ headline }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  const isNew = useFlag('new-checkout')
  return (
    <main>
      <h1>{headline === 'bold' ? 'Your deep roots' : 'Your account'}</h1>
      <p id="checkout">{isNew ? 'One step' : 'Three steps'}</p>
      <Link href="/">Home</Link>
    </main>
  )
}
