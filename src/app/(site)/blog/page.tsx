import type { Metadata } from 'next'
import { NothingYet } from '../NothingYet'

export const metadata: Metadata = { title: 'Blog', description: 'No post has been published here yet.' }

export default function Blog() {
  return <NothingYet title="Blog" advice="No post has been published yet." />
}
