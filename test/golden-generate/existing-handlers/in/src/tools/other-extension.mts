export default async () => 'module';
