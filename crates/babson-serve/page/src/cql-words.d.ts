declare module "cql:words" {
  const words: string[];
  export default words;
}
