export { metadata, ConnectPage as default } from '#studio/connect/ConnectPage'
