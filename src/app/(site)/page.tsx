import type { Metadata } from 'next'
import { NothingYet } from './NothingYet'

export const metadata: Metadata = { description: 'Nothing has been published here yet.' }

export default function Home() {
  return <NothingYet title="Home" advice="Nothing has been published on this site yet." />
}
