import { getFlag } from '@tilth/next/server'
import Link from 'next/link'
import { SignUp } from './sign-up'

export default async function Home() {
  const headline = await getFlag('headline')
  return (
    <main>
      <h1>{headline === 'bold' ? 'Dig deeper' : 'Tools for your garden'}</h1>
      <SignUp />
      <nav>
        <Link href="/about">About</Link> <Link href="/pricing">Pricing</Link>{' '}
        <Link href="/account">Account</Link>
      </nav>
    </main>
  )
}
