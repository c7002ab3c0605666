export default async () => 'bare';
