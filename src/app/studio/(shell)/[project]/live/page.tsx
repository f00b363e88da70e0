export { metadata, LivePage as default } from '#studio/live/LivePage'
