import { ActingForm } from './ActingForm'

export default function Acting() {
  return <ActingForm />
}
