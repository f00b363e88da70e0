import { getFlag } from '@tilth/next/server'
import Link from 'next/link'

export default async function About() {
  const headline = await getFlag('headline')
  return (
    <main>
      <h1>{headline === 'bold' ? 'We dig deeper' : 'About us'}</h1>
      <Link href="/">Home</Link>
    </main>
  )
}
