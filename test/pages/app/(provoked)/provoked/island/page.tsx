import { LateIsland } from './LateIsland'

export default function Page() {
  return <LateIsland />
}
