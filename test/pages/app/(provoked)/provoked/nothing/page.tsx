import { notFound } from 'next/navigation'

export default function Nothing() {
  notFound()
}
